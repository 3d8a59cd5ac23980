import type { Camera, Size } from './camera.ts'
import { nodeAt } from './index-tree.ts'
import { columnWidth, isPlaced } from './layout-tree.ts'
import { bestPath, type MapScene } from './map-scene.ts'
import type { Flow, FlowEdge } from './merged-scene.ts'
import { onScreen } from './on-screen.ts'
import { paintEdges, straightWidth } from './paint-edges.ts'
import { paintLabels } from './paint-labels.ts'
import { paintNodes } from './paint-nodes.ts'
import { paintPathLabels } from './paint-path-labels.ts'
import type { Painting } from './painting.ts'

/** Below this scale, vertical or horizontal, there is no room for words. */
const leastLabelled = 0.34

export function paintTree(painting: Painting, scene: MapScene): void {
  const { context, camera, size, palette } = painting
  const best = bestPath(scene)
  const seen = scene.layout.nodes.filter(
    (node) => node < scene.moment.count && isNear(scene, node, camera, size),
  )
  context.clearRect(0, 0, size.width, size.height)
  if (scene.flow === undefined) paintEdges(painting, scene, best)
  else paintFlow(painting, scene, scene.flow)
  paintHits(painting, scene, seen)
  paintNodes(painting, scene, seen)
  for (const node of scene.happening) {
    paintRing(painting, scene, node, { colour: palette.happening, gap: 4, width: 2 })
  }
  paintRing(painting, scene, scene.moment.best, { colour: palette.accent, gap: 2.5, width: 2 })
  if (scene.chosen !== null) {
    paintRing(painting, scene, scene.chosen, { colour: palette.text, gap: 5.5, width: 2.5 })
  }
  if (Math.min(camera.scale, camera.across) >= leastLabelled) paintLabels(painting, scene, seen, best)
  else paintPathLabels(painting, scene)
}

function isNear(
  { layout }: MapScene,
  node: number,
  { x, y, scale, across }: Camera,
  { width, height }: Size,
): boolean {
  const right = (layout.x[node] ?? 0) * across + x
  const down = (layout.y[node] ?? 0) * scale + y
  return right > -60 && right < width + columnWidth * across && down > -30 && down < height + 30
}

function paintHits({ context, camera, palette }: Painting, scene: MapScene, seen: readonly number[]): void {
  if (scene.hits.size === 0) return
  context.beginPath()
  for (const node of seen) {
    if (!scene.hits.has(node)) continue
    const { x, y, radius } = onScreen(scene, node, camera)
    context.moveTo(x + radius + 6, y)
    context.arc(x, y, radius + 6, 0, Math.PI * 2)
  }
  context.fillStyle = palette.hit
  context.fill()
  context.setLineDash([3, 2])
  context.strokeStyle = palette.hitRim
  context.lineWidth = 1.5
  context.stroke()
  context.setLineDash([])
}

function paintRing(
  { context, camera }: Painting,
  scene: MapScene,
  node: number,
  { colour, gap, width }: { colour: string; gap: number; width: number },
): void {
  if (node >= scene.moment.count || Number.isNaN(scene.layout.x[node] ?? Number.NaN)) return
  const { x, y, radius } = onScreen(scene, node, camera)
  context.beginPath()
  context.arc(x, y, radius + gap, 0, Math.PI * 2)
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke()
}

// Paints the edges of a merged graph: colour is success, width the number of episodes. Links are arcs below the nodes.
function paintFlow(painting: Painting, scene: MapScene, { edges, links }: Flow): void {
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
