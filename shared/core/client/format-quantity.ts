import type { Estimate } from '../contracts/report.ts'

export const noNumber = '–'

export function formatNumber(value: number | null, decimals = 2): string {
  return value === null ? noNumber : value.toFixed(decimals)
}

export function formatEstimate({ mean, ci }: Estimate): string {
  if (mean === null) return noNumber
  return ci === null
    ? formatNumber(mean)
    : `${formatNumber(mean)} [${formatNumber(ci.lower)}, ${formatNumber(ci.upper)}]`
}

export function formatDifference(estimate: Estimate): string {
  const text = formatEstimate(estimate)
  return estimate.mean !== null && estimate.mean > 0 ? `+${text}` : text
}

export function formatMoney(dollars: number | null): string {
  if (dollars === null) return 'no price'
  if (dollars === 0) return '$0'
  if (dollars >= 1) return `$${withCommas(dollars.toFixed(2))}`
  return dollars < 0.00005 ? '<$0.0001' : `$${dollars.toFixed(4)}`
}

export function formatCount(count: number): string {
  if (count < 10_000) return withCommas(String(Math.round(count)))
  // 999,950 would round to "1000.0 k".
  if (count < 999_950) return `${(count / 1e3).toFixed(1)} k`
  return count < 999_950_000 ? `${(count / 1e6).toFixed(1)} M` : `${(count / 1e9).toFixed(1)} G`
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

/** Seconds: `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(whole / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function withCommas(digits: string): string {
  return digits.replaceAll(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',')
}
