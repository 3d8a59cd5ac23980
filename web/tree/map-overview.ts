import type { Camera, Size } from './camera.ts'
import { shadeOf } from './colouring.ts'
import { pathTo } from './index-tree.ts'
import type { TreeLayout } from './layout-tree.ts'
import type { MapScene } from './map-scene.ts'
import { type Palette, seriesColours, shades } from './palette.ts'

/** In pixels. */
export const overviewSize: Size = { width: 150, height: 112 }

const marginPixels = 6

/**
 * The placement of a layout in the overview: stretched to fill it, at a scale of at most 1, and centred. Trees can be
 * a hundred times as high as wide, or the other way round.
 */
interface Placing {
  across: number
  down: number
  x: number
  y: number
}

function placingOf({ bounds: { left, right, top, bottom } }: TreeLayout): Placing {
  const { width, height } = overviewSize
  const across = Math.min(1, (width - 2 * marginPixels) / Math.max(1, right - left))
  const down = Math.min(1, (height - 2 * marginPixels) / Math.max(1, bottom - top))
  return {
    across,
    down,
    x: width / 2 - ((left + right) / 2) * across,
    y: height / 2 - ((top + bottom) / 2) * down,
  }
}

export function seenPart(
  layout: TreeLayout,
  { x, y, scale, across: wide }: Camera,
  frame: Size,
): { left: number; top: number; width: number; height: number } | null {
  const { bounds } = layout
  const seen = {
    left: -x / wide,
    top: -y / scale,
    right: (frame.width - x) / wide,
    bottom: (frame.height - y) / scale,
  }
  const isAll =
    seen.left <= bounds.left &&
    seen.right >= bounds.right &&
    seen.top <= bounds.top &&
    seen.bottom >= bounds.bottom
  if (isAll) return null
  const placing = placingOf(layout)
  const column = (at: number) => clamp(at * placing.across + placing.x, overviewSize.width)
  const row = (at: number) => clamp(at * placing.down + placing.y, overviewSize.height)
  const left = column(seen.left)
  const top = row(seen.top)
  return { left, top, width: column(seen.right) - left, height: row(seen.bottom) - top }
}

export function pointOfMap(layout: TreeLayout, at: { x: number; y: number }): { x: number; y: number } {
  const { across, down, x, y } = placingOf(layout)
  return { x: (at.x - x) / across, y: (at.y - y) / down }
}

export function paintOverview(context: CanvasRenderingContext2D, scene: MapScene, palette: Palette): void {
  const { layout, moment, index } = scene
  const { across, down, x, y } = placingOf(layout)
  const column = (node: number) => (layout.x[node] ?? 0) * across + x
  const row = (node: number) => (layout.y[node] ?? 0) * down + y
  const hollow = shades + seriesColours
  const dots: number[][] = Array.from({ length: hollow + 1 }, () => [])
  for (const node of layout.nodes) {
    if (node >= moment.count) continue
    dots[shadeOf(scene, node) ?? hollow]?.push(node)
  }
  context.clearRect(0, 0, overviewSize.width, overviewSize.height)
  dots.forEach((nodes, shade) => {
    context.fillStyle = palette.values[shade] ?? palette.line
    for (const node of nodes) context.fillRect(column(node) - 1, row(node) - 1, 2, 2)
  })
  context.beginPath()
  for (const node of pathTo(index, moment.best)) context.lineTo(column(node), row(node))
  context.strokeStyle = palette.accent
  context.lineWidth = 1.5
  context.stroke()
}

function clamp(at: number, end: number): number {
  return Math.min(end, Math.max(0, at))
}
