import { shadeOf } from './colouring.ts'
import { nodeAt } from './index-tree.ts'
import type { MapScene } from './map-scene.ts'
import { nodeMark } from './node-marks.ts'
import { onScreen } from './on-screen.ts'
import type { PaintContext, Painting } from './painting.ts'
import { seriesColours, shades } from './palette.ts'

/** Up to this radius a node is a dot of one colour, without a shape. */
const mostDot = 2.2

// Nodes of invalid actions lead nowhere: they are paler than the others.
const quiet = 0.35

export function paintNodes(painting: Painting, scene: MapScene, seen: readonly number[]): void {
  const { context } = painting
  const [loud, invalid] = [false, true].map((isInvalid) =>
    seen.filter((node) => (markOf(scene, node) === 'invalid') === isInvalid),
  ) as [number[], number[]]
  context.globalAlpha = quiet
  paintColours(painting, scene, invalid)
  paintMarks(painting, scene, invalid)
  context.globalAlpha = 1
  paintColours(painting, scene, loud)
  paintMarks(painting, scene, loud)
}

/** Draws the nodes grouped by colour: changing a canvas's colour is slow, filling a long path is not. */
function paintColours(painting: Painting, scene: MapScene, seen: readonly number[]): void {
  const { context, palette, camera } = painting
  const shaded: number[][] = Array.from({ length: shades + seriesColours }, () => [])
  const hollow: number[] = []
  const hollowDots: number[] = []
  for (const node of seen) {
    const shade = shadeOf(scene, node)
    if (shade !== null) shaded[shade]?.push(node)
    else if (isDot(onScreen(scene, node, camera))) hollowDots.push(node)
    else hollow.push(node)
  }

  // A dot is too small for an outline, so unvisited dots get the colour of the edges.
  tracePath(painting, scene, hollowDots)
  context.fillStyle = palette.line
  context.fill()
  tracePath(painting, scene, hollow)
  context.fillStyle = palette.surface
  context.fill()
  context.strokeStyle = palette.lineStrong
  context.lineWidth = 1.25
  context.stroke()
  shaded.forEach((nodes, shade) => {
    if (nodes.length === 0) return
    tracePath(painting, scene, nodes)
    context.fillStyle = palette.values[shade] ?? palette.text
    context.fill()
  })
}

function isDot({ radius }: { radius: number }): boolean {
  return radius <= mostDot
}

function tracePath({ context, camera }: Painting, scene: MapScene, nodes: readonly number[]): void {
  const drawn = new Set<number>()
  context.beginPath()
  for (const node of nodes) {
    const { x, y, radius } = onScreen(scene, node, camera)
    if (isDot({ radius })) {
      // One dot per pixel is enough.
      const pixel = Math.round(x) * 100_000 + Math.round(y)
      if (drawn.has(pixel)) continue
      drawn.add(pixel)
      context.rect(x - radius, y - radius, radius * 2, radius * 2)
    } else traceShape(context, { x, y, radius, mark: markOf(scene, node) })
  }
}

function traceShape(
  context: PaintContext,
  { x, y, radius, mark }: { x: number; y: number; radius: number; mark: ReturnType<typeof nodeMark> },
): void {
  if (mark === 'done') {
    const half = radius * 0.95
    context.rect(x - half, y - half, half * 2, half * 2)
  } else if (mark === 'disaster') {
    const reach = radius * 1.35
    context.moveTo(x, y - reach)
    context.lineTo(x + reach, y)
    context.lineTo(x, y + reach)
    context.lineTo(x - reach, y)
    context.closePath()
  } else {
    context.moveTo(x + radius, y)
    context.arc(x, y, radius, 0, Math.PI * 2)
  }
}

function paintMarks({ context, camera, palette }: Painting, scene: MapScene, seen: readonly number[]): void {
  context.beginPath()
  for (const node of seen) {
    const { x, y, radius } = onScreen(scene, node, camera)
    if (isDot({ radius })) continue
    const mark = markOf(scene, node)
    if (mark === 'invalid') {
      const reach = radius + 2
      context.moveTo(x - reach, y - reach)
      context.lineTo(x + reach, y + reach)
      context.moveTo(x - reach, y + reach)
      context.lineTo(x + reach, y - reach)
    } else if (mark === 'exhausted') {
      const behind = x + radius + 2.5
      context.moveTo(behind, y - radius - 1)
      context.lineTo(behind, y + radius + 1)
    }
  }
  context.strokeStyle = palette.text
  context.lineWidth = 1.5
  context.stroke()
}

function markOf({ index, moment }: MapScene, node: number): ReturnType<typeof nodeMark> {
  return nodeMark(nodeAt(index, node), moment.terminal[node] === 1)
}
