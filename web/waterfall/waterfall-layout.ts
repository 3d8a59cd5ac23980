import type { Waterfall, WaterfallSpan } from '../../shared/core/contracts/waterfall.ts'

export interface WaterfallLayout {
  rowHeight: number
  lanes: readonly { top: number; bottom: number }[]
  height: number
  inLane: readonly (readonly number[])[]
}

export interface TimeView {
  from: number
  to: number
}

export interface WaterfallFrame {
  width: number
  left: number
  right: number
}

export const axisHeight = 26
const laneGap = 10
const tallestRow = 16
const shortestRow = 3
const wantedHeight = 720
const leastLane = 16

const shortestView = 0.005

export function layOutWaterfall({ lanes, spans }: Pick<Waterfall, 'lanes' | 'spans'>): WaterfallLayout {
  const rows = lanes.reduce((sum, { slots }) => sum + slots, 0)
  const rowHeight = Math.max(shortestRow, Math.min(tallestRow, Math.floor(wantedHeight / Math.max(1, rows))))
  let top = axisHeight
  const placed = lanes.map(({ slots }) => {
    const height = Math.max(leastLane, slots * rowHeight)
    const lane = { top, bottom: top + height }
    top += height + laneGap
    return lane
  })
  const inLane: number[][] = lanes.map(() => [])
  for (const [at, { lane }] of spans.entries()) inLane[lane]?.push(at)
  for (const lane of inLane) lane.sort((left, right) => beginOf(spans, left) - beginOf(spans, right))
  return { rowHeight, lanes: placed, height: top, inLane }
}

function beginOf(spans: readonly WaterfallSpan[], at: number): number {
  return spans[at]?.from ?? 0
}

// The first view: all of it, without a queue at the start that would leave less than half to the work.
export function firstTimeView({
  seconds,
  spans,
  lanes,
}: Pick<Waterfall, 'seconds' | 'spans' | 'lanes'>): TimeView {
  const isQueue = ({ lane }: WaterfallSpan) => lanes[lane]?.kind === 'queue'
  const works = spans.reduce((first, span) => (isQueue(span) ? first : Math.min(first, span.from)), seconds)
  return { from: works > seconds / 2 && works < seconds ? works : 0, to: Math.max(seconds, shortestView) }
}

export function wholeTime({ seconds }: Pick<Waterfall, 'seconds'>): TimeView {
  return { from: 0, to: Math.max(seconds, shortestView) }
}

export function acrossAt(
  time: number,
  { from, to }: TimeView,
  { width, left, right }: WaterfallFrame,
): number {
  return left + ((time - from) / (to - from)) * (width - left - right)
}

export function timeAt(x: number, { from, to }: TimeView, { width, left, right }: WaterfallFrame): number {
  return from + ((x - left) / (width - left - right)) * (to - from)
}

export function zoomTime(view: TimeView, factor: number, around: number, seconds: number): TimeView {
  const whole = Math.max(seconds, shortestView)
  const length = Math.min(whole, Math.max(shortestView, (view.to - view.from) / factor))
  const share = (around - view.from) / (view.to - view.from)
  return inside(around - share * length, length, whole)
}

export function panTime({ from, to }: TimeView, by: number, seconds: number): TimeView {
  return inside(from + by, to - from, Math.max(seconds, shortestView))
}

// Moves the view as little as shows the span; a span longer than the view is shown from its begin.
export function showSpan(
  view: TimeView,
  { from, to }: Pick<WaterfallSpan, 'from' | 'to'>,
  seconds: number,
): TimeView {
  const length = view.to - view.from
  if (to < view.from || from > view.to) return panTime(view, (from + to - length) / 2 - view.from, seconds)
  return view
}

function inside(from: number, length: number, whole: number): TimeView {
  const begin = Math.max(0, Math.min(from, whole - length))
  return { from: begin, to: begin + length }
}

// The next span by a key: beside it in its lane, or the nearest in time of the next lane with spans.
export function spanBeside(
  { lanes, spans }: Pick<Waterfall, 'lanes' | 'spans'>,
  { inLane }: WaterfallLayout,
  from: number | null,
  move: 'left' | 'right' | 'up' | 'down' | 'first' | 'last',
): number | null {
  const span = from === null ? undefined : spans[from]
  if (from === null || span === undefined) return inLane.find((lane) => lane.length > 0)?.[0] ?? null
  const own = inLane[span.lane] ?? []
  if (move === 'first') return own[0] ?? from
  if (move === 'last') return own.at(-1) ?? from
  if (move === 'left' || move === 'right') return own[own.indexOf(from) + (move === 'left' ? -1 : 1)] ?? from
  const step = move === 'up' ? -1 : 1
  for (let lane = span.lane + step; lane >= 0 && lane < lanes.length; lane += step) {
    const near = inLane[lane]?.reduce((best, at) =>
      Math.abs(beginOf(spans, at) - span.from) < Math.abs(beginOf(spans, best) - span.from) ? at : best,
    )
    if (near !== undefined) return near
  }
  return from
}

export function spanAtPoint(
  { spans, lanes }: Pick<Waterfall, 'lanes' | 'spans'>,
  layout: WaterfallLayout,
  { x, y }: { x: number; y: number },
  { view, frame }: { view: TimeView; frame: WaterfallFrame },
): number | null {
  const lane = layout.lanes.findIndex(({ top, bottom }) => y >= top && y < bottom)
  const slot = Math.floor((y - (layout.lanes[lane]?.top ?? 0)) / layout.rowHeight)
  if (lane < 0 || x < frame.left || slot >= (lanes[lane]?.slots ?? 0)) return null
  const room = ((view.to - view.from) / (frame.width - frame.left - frame.right)) * 3
  const time = timeAt(x, view, frame)
  let nearest: number | null = null
  let least = room
  for (const at of layout.inLane[lane] ?? []) {
    const span = spans[at]
    if (span === undefined || span.slot !== slot) continue
    const distance = Math.max(0, span.from - time, time - span.to)
    if (distance <= least) {
      nearest = at
      least = distance
    }
  }
  return nearest
}
