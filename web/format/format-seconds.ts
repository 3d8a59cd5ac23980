import { formatDuration, formatNumber } from '../../shared/core/client/format-quantity.ts'

export function formatSeconds(seconds: number): string {
  if (seconds >= 10) return formatDuration(seconds)
  return `${formatNumber(seconds, seconds < 1 ? 2 : 1)} s`
}
