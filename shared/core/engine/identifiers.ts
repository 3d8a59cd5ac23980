import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A new id such as `run-06c5k8q2xg-4hj7k2mn`: ten characters of time and eight random ones, so that ids sort by
 * creation time.
 */
export function newIdentifier(kind: string, now: number): string {
  let time = ''
  for (let rest = now; time.length < 10; rest = Math.floor(rest / 32))
    time = alphabet.charAt(rest % 32) + time
  return `${kind}-${time}-${randomSuffix()}`
}

export function randomSuffix(): string {
  return Array.from(randomBytes(8), (byte) => alphabet.charAt(byte % 32)).join('')
}
