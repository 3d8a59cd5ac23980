import type { Camera, Size } from './camera.ts'
import { columnWidth } from './layout-tree.ts'
import { bestPath, type MapScene } from './map-scene.ts'
import { onScreen } from './on-screen.ts'
import { paintEdges } from './paint-edges.ts'
import { paintFlow } from './paint-flow.ts'
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
