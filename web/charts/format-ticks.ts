import { scaleLinear } from 'd3-scale'
import { formatCount } from '../../shared/core/client/format-quantity.ts'
import type { Domain } from './plot-domain.ts'

export function tickFormat(domain: Domain, count: number): (tick: number) => string {
  const size = Math.max(Math.abs(domain[0]), Math.abs(domain[1]))
  if (size >= 10_000 && size < 1e15) return (tick) => shortCount(tick)
  const format = scaleLinear().domain(domain).tickFormat(count)
  return (tick) => format(tick)
}

function shortCount(tick: number): string {
  const text = formatCount(Math.abs(tick)).replace('.0 ', ' ')
  return tick < 0 ? `−${text}` : text
}

/** In pixels, at the size of small text, including the gap between two labels. */
const letterWidth = 7.5
const labelGap = 8

export function fittingTicks(domain: Domain, width: number, most: number): { value: number; text: string }[] {
  const scale = scaleLinear().domain(domain)
  for (let count = most; count > 1; count--) {
    const format = tickFormat(domain, count)
    const ticks = scale.ticks(count).map((value) => ({ value, text: format(value) }))
    const widest = Math.max(0, ...ticks.map(({ text }) => text.length)) * letterWidth + labelGap
    if (widest * ticks.length <= width) return ticks
  }
  const format = tickFormat(domain, 1)
  return domain.map((value) => ({ value, text: format(value) }))
}
