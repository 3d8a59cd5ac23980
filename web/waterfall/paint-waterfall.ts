import { scaleLinear } from 'd3-scale'
import type { SpanKind, Waterfall } from '../../shared/core/contracts/waterfall.ts'
import { formatSeconds } from '../format/format-seconds.ts'
import type { PaintContext } from '../tree/painting.ts'
import { kindWords, spanKinds } from './span-words.ts'
import {
  acrossAt,
  axisHeight,
  type TimeView,
  type WaterfallFrame,
  type WaterfallLayout,
} from './waterfall-layout.ts'

export interface WaterfallPalette {
  kinds: Record<SpanKind, string>
  surface: string
  line: string
  text: string
  textSoft: string
  font: string
}

export interface WaterfallScene {
  waterfall: Waterfall
  layout: WaterfallLayout
  names: readonly string[]
  view: TimeView
  frame: WaterfallFrame
  chosen: number | null
}

export const legendHeight = 26
const labelSize = 12

// Paints one frame: bars of one colour are one path, so that thousands of them take a few milliseconds.
export function paintWaterfall(
  context: PaintContext,
  palette: WaterfallPalette,
  scene: WaterfallScene,
  isSaved = false,
): void {
  const { layout, frame } = scene
  context.clearRect(0, 0, frame.width, layout.height + legendHeight)
  context.textBaseline = 'middle'
  context.direction = 'ltr'
  paintAxis(context, palette, scene)
  paintNames(context, palette, scene)
  for (const kind of spanKinds) {
    paintBars(context, palette, scene, kind, true)
    paintBars(context, palette, scene, kind, false)
  }
  paintSlowest(context, palette, scene)
  paintChosen(context, palette, scene)
  if (isSaved) paintLegend(context, palette, scene)
}

function paintAxis(
  context: PaintContext,
  palette: WaterfallPalette,
  { view, frame, layout }: WaterfallScene,
): void {
  const count = Math.max(2, Math.floor((frame.width - frame.left) / 110))
  context.beginPath()
  const ticks = scaleLinear().domain([view.from, view.to]).ticks(count)
  for (const tick of ticks) {
    const x = acrossAt(tick, view, frame)
    context.moveTo(x, axisHeight - 6)
    context.lineTo(x, layout.height)
  }
  context.strokeStyle = palette.line
  context.lineWidth = 0.5
  context.stroke()
  context.font = `400 ${labelSize}px ${palette.font}`
  context.fillStyle = palette.textSoft
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0)
  for (const tick of ticks) {
    const text = tickText(tick, step)
    const x = acrossAt(tick, view, frame) - context.measureText(text).width / 2
    context.fillText(text, Math.min(x, frame.width - context.measureText(text).width), axisHeight / 2 - 2)
  }
}

// Below a second of step, durations in words would round ticks to the same text.
function tickText(tick: number, step: number): string {
  if (step >= 1) return formatSeconds(tick)
  const digits = Math.max(1, Math.ceil(-Math.log10(Math.max(step, 0.0001))))
  return `${tick.toFixed(digits)} s`
}

function paintNames(
  context: PaintContext,
  palette: WaterfallPalette,
  { names, layout, frame }: WaterfallScene,
): void {
  context.font = `400 ${labelSize}px ${palette.font}`
  context.fillStyle = palette.text
  for (const [lane, { top }] of layout.lanes.entries()) {
    context.fillText(fitting(context, names[lane] ?? '', frame.left - 12), 4, top + 8)
  }
}

function fitting(context: PaintContext, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let end = text.length
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end -= 1
  return `${text.slice(0, end)}…`
}

function paintBars(
  context: PaintContext,
  palette: WaterfallPalette,
  scene: WaterfallScene,
  kind: SpanKind,
  isExact: boolean,
): void {
  const { waterfall } = scene
  context.beginPath()
  let isEmpty = true
  for (const [at, span] of waterfall.spans.entries()) {
    if (span.kind !== kind || span.exact !== isExact) continue
    const bar = barOf(scene, at)
    if (bar === null) continue
    context.rect(bar.x, bar.y, bar.width, bar.height)
    isEmpty = false
  }
  if (isEmpty) return
  context.fillStyle = palette.kinds[kind]
  context.globalAlpha = isExact ? 1 : 0.3
  context.fill()
  context.globalAlpha = 1
  if (isExact) return
  context.setLineDash([3, 2])
  context.strokeStyle = palette.kinds[kind]
  context.lineWidth = 1
  context.stroke()
  context.setLineDash([])
}

interface Bar {
  x: number
  y: number
  width: number
  height: number
}

function barOf({ waterfall, layout, view, frame }: WaterfallScene, at: number): Bar | null {
  const span = waterfall.spans[at]
  const lane = span && layout.lanes[span.lane]
  if (span === undefined || lane === undefined || span.to < view.from || span.from > view.to) return null
  const x = Math.max(frame.left, acrossAt(span.from, view, frame))
  const end = Math.min(frame.width - frame.right, acrossAt(span.to, view, frame))
  const gap = layout.rowHeight > 6 ? 2 : layout.rowHeight > 3 ? 1 : 0
  return {
    x,
    y: lane.top + span.slot * layout.rowHeight,
    width: Math.max(1, end - x),
    height: layout.rowHeight - gap,
  }
}

function paintSlowest(context: PaintContext, palette: WaterfallPalette, scene: WaterfallScene): void {
  context.font = `700 ${labelSize - 1}px ${palette.font}`
  for (const [rank, at] of scene.waterfall.slowest.entries()) {
    const bar = barOf(scene, at)
    if (bar === null) continue
    context.beginPath()
    context.rect(bar.x - 0.5, bar.y - 0.5, bar.width + 1, bar.height + 1)
    context.strokeStyle = palette.text
    context.lineWidth = 1.5
    context.stroke()
    if (bar.width < 12 || bar.height < 10) continue
    context.fillStyle = palette.surface
    context.fillText(String(rank + 1), bar.x + 3, bar.y + bar.height / 2 + 0.5)
  }
}

function paintChosen(context: PaintContext, palette: WaterfallPalette, scene: WaterfallScene): void {
  const bar = scene.chosen === null ? null : barOf(scene, scene.chosen)
  if (bar === null) return
  context.beginPath()
  context.rect(bar.x - 2.5, bar.y - 2.5, bar.width + 5, bar.height + 5)
  context.strokeStyle = palette.text
  context.lineWidth = 2.5
  context.stroke()
}

function paintLegend(
  context: PaintContext,
  palette: WaterfallPalette,
  { waterfall, layout, frame }: WaterfallScene,
): void {
  context.font = `400 ${labelSize}px ${palette.font}`
  let x = frame.left
  for (const kind of spanKinds) {
    if (!waterfall.spans.some((span) => span.kind === kind)) continue
    const text = kindWords[kind]
    context.beginPath()
    context.rect(x, layout.height + 6, 10, 10)
    context.fillStyle = palette.kinds[kind]
    context.fill()
    context.fillStyle = palette.text
    context.fillText(text, x + 14, layout.height + 11)
    x += 30 + context.measureText(text).width
  }
}
