import { formatDuration, formatNumber } from '../../shared/client/format-quantity.ts'

/** Seconds, with decimals as long as they are few: `0.14 s`, `3.5 s`, `12 s`, `3 min 20 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 10) return formatDuration(seconds)
  return `${formatNumber(seconds, seconds < 1 ? 2 : 1)} s`
}
