import { nodeAt } from './index-tree.ts'
import { columnWidth, isPlaced } from './layout-tree.ts'
import type { MapScene } from './map-scene.ts'
import type { Flow, FlowEdge } from './merged-scene.ts'
import { straightWidth } from './paint-edges.ts'
import type { Painting } from './painting.ts'

// Paints the edges of a merged graph: colour is success, width the number of episodes. Links are arcs below the nodes.
export function paintFlow(painting: Painting, scene: MapScene, { edges, links }: Flow): void {
  const { context, camera } = painting
  const { layout } = scene
  const bend = (columnWidth - straightWidth) * camera.across
  const at = (node: number) => ({
    x: (layout.x[node] ?? 0) * camera.across + camera.x,
    y: (layout.y[node] ?? 0) * camera.scale + camera.y,
  })
  context.lineJoin = 'round'
  for (const node of layout.nodes) {
    const { parent } = nodeAt(scene.index, node)
    const look = edges[node]
    if (parent === null || look === undefined || !isPlaced(layout, parent)) continue
    const [from, to] = [at(parent), at(node)]
    context.beginPath()
    context.moveTo(from.x, from.y)
    context.bezierCurveTo(from.x + bend * 0.6, from.y, from.x + bend * 0.4, to.y, from.x + bend, to.y)
    context.lineTo(to.x, to.y)
    stroke(painting, look)
  }
  context.setLineDash([5, 3])
  for (const { from, to, ...look } of links) {
    if (!isPlaced(layout, from) || !isPlaced(layout, to)) continue
    const [begin, end] = [at(from), at(to)]
    const reach = 30 * camera.scale + Math.abs(end.x - begin.x) / 8
    const isBack = end.x <= begin.x
    context.beginPath()
    context.moveTo(begin.x, begin.y)
    context.bezierCurveTo(
      begin.x + (isBack ? reach : bend),
      begin.y + reach,
      end.x - (isBack ? reach : bend),
      end.y + reach,
      end.x,
      end.y,
    )
    stroke(painting, look)
  }
  context.setLineDash([])
}

function stroke({ context, palette, camera }: Painting, { shade, width }: FlowEdge): void {
  context.strokeStyle = shade === null ? palette.line : (palette.values[shade] ?? palette.line)
  context.lineWidth = Math.max(0.8, width * Math.min(1, Math.sqrt(camera.scale)))
  context.stroke()
}
