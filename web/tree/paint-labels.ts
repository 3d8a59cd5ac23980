import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import { shortText } from '../format/short-text.ts'
import { shownValue } from './colouring.ts'
import { actionOf, nodeAt } from './index-tree.ts'
import { hidesNodes, type MapScene } from './map-scene.ts'
import { onScreen } from './on-screen.ts'
import { straightWidth } from './paint-edges.ts'
import type { PaintContext, Painting } from './painting.ts'

const leastFigured = 0.75

const mostCharacters = 60

export function paintLabels(
  painting: Painting,
  scene: MapScene,
  seen: readonly number[],
  best: ReadonlySet<number>,
): void {
  const { context, camera, palette } = painting
  const size = Math.min(15, Math.max(9, 12 * camera.scale))
  context.textBaseline = 'alphabetic'
  context.direction = 'ltr'
  for (const node of seen) {
    const { x, y, radius } = onScreen(scene, node, camera)
    const isRoot = node === 0
    const room = straightWidth * camera.across - radius - 8
    const left = x - straightWidth * camera.across
    const isMarked = best.has(node) || node === scene.chosen || scene.hits.has(node)
    context.font = `${isMarked ? 600 : 400} ${size}px ${palette.font}`
    context.fillStyle = isMarked ? palette.text : palette.textSoft
    const text = cut(context, actionOf(nodeAt(scene.index, node)), room)
    if (isRoot) context.fillText(text, x - radius - 8 - widthOf(context, text), y + size * 0.35)
    else context.fillText(text, left, y - 4 - edgeRoom(scene, node))
    paintFigures(painting, scene, node, { left, right: x + radius + 8, y, size, isRoot })
  }
}

function paintFigures(
  { context, camera, palette }: Painting,
  scene: MapScene,
  node: number,
  { left, right, y, size, isRoot }: { left: number; right: number; y: number; size: number; isRoot: boolean },
): void {
  const { moment, index } = scene
  context.fillStyle = palette.textSoft
  if (hidesNodes(scene, node)) {
    context.font = `600 ${size * 0.95}px ${palette.font}`
    context.fillText(`▸${index.below[node]}`, right, y + size * 0.35)
  }
  if (camera.scale < leastFigured || isRoot) return
  const visits = moment.visits[node] ?? 0
  if (visits === 0) return
  context.font = `400 ${size * 0.86}px ${palette.font}`
  context.fillText(
    `${formatNumber(shownValue(scene, node))} · ${visits}×`,
    left,
    y + size + edgeRoom(scene, node),
  )
}

// Half of the width of an edge that is no thin line.
function edgeRoom({ flow }: MapScene, node: number): number {
  return (flow?.edges[node]?.width ?? 0) / 2
}

const lengths = new Map<string, number>()

function cut(context: PaintContext, text: string, room: number): string {
  const whole = shortText(text, mostCharacters)
  const width = widthOf(context, whole)
  if (width <= room) return whole
  return shortText(whole, Math.max(1, Math.floor((whole.length * room) / width)))
}

/** The width of a text in the current font. It is cached, because measuring is slow and the same actions recur. */
function widthOf(context: PaintContext, text: string): number {
  const key = `${context.font} ${text}`
  const known = lengths.get(key)
  if (known !== undefined) return known
  const { width } = context.measureText(text)
  if (lengths.size > 20_000) lengths.clear()
  lengths.set(key, width)
  return width
}
