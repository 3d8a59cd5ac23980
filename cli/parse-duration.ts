import { InvalidArgumentError } from 'commander'

const seconds = { s: 1, m: 60, h: 3600, d: 24 * 3600 } as const

/** Parses `90d`, `12h`, `30m` or `45s` into seconds. */
export function parseDuration(text: string): number {
  const [, amount = '', unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? []
  const length = Number(amount) * (seconds[unit as keyof typeof seconds] ?? 0)
  if (length > 0) return length
  throw new InvalidArgumentError('It takes a time such as 90d, 12h or 30m.')
}
