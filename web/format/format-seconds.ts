import { formatDuration, formatNumber } from '../../shared/client/format-quantity.ts'

/** Formats seconds, with decimals below 10: `0.14 s`, `3.5 s`, `12 s`, `3 min 20 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 10) return formatDuration(seconds)
  return `${formatNumber(seconds, seconds < 1 ? 2 : 1)} s`
}
