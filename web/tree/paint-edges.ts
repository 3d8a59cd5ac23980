import { nodeAt } from './index-tree.ts'
import { columnWidth } from './layout-tree.ts'
import type { MapScene } from './map-scene.ts'
import type { Painting } from './painting.ts'

export const straightWidth = 175

/** From this scale on, edges are curved; below it the difference is invisible. */
const leastBent = 0.3

export function paintEdges(painting: Painting, scene: MapScene, best: ReadonlySet<number>): void {
  const { context, palette } = painting
  context.lineJoin = 'round'
  trace(painting, scene, (node) => !best.has(node))
  context.strokeStyle = palette.line
  context.lineWidth = painting.camera.scale < leastBent ? 0.6 : 1
  context.globalAlpha = 0.65
  context.stroke()
  context.globalAlpha = 1
  trace(painting, scene, (node) => best.has(node))
  context.strokeStyle = palette.accent
  context.lineWidth = 3
  context.stroke()
}

function trace(
  { context, camera, size }: Painting,
  { index, layout, moment }: MapScene,
  isWanted: (node: number) => boolean,
): void {
  const { scale, across } = camera
  const bend = (columnWidth - straightWidth) * across
  const drawn = new Set<number>()
  context.beginPath()
  for (const node of layout.nodes) {
    const { parent } = nodeAt(index, node)
    if (parent === null || node >= moment.count || !isWanted(node)) continue
    const fromX = (layout.x[parent] ?? 0) * across + camera.x
    const fromY = (layout.y[parent] ?? 0) * scale + camera.y
    const toX = (layout.x[node] ?? 0) * across + camera.x
    const toY = (layout.y[node] ?? 0) * scale + camera.y
    if (toX < 0 || fromX > size.width) continue
    if (Math.max(fromY, toY) < 0 || Math.min(fromY, toY) > size.height) continue
    if (scale < leastBent) {
      const place = Math.round(toX) * 100_000 + Math.round(toY)
      if (drawn.has(place)) continue
      drawn.add(place)
      context.moveTo(fromX, fromY)
      context.lineTo(fromX + bend, toY)
      context.lineTo(toX, toY)
    } else {
      context.moveTo(fromX, fromY)
      context.bezierCurveTo(fromX + bend * 0.6, fromY, fromX + bend * 0.4, toY, fromX + bend, toY)
      context.lineTo(toX, toY)
    }
  }
}
