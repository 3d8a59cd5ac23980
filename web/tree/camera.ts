import { columnWidth, type TreeLayout } from './layout-tree.ts'

/**
 * The visible section of the map: a point of the map is drawn at `(across * x, scale * y) + camera`.
 *
 * `scale` is the size of nodes and labels. `across` equals it while words are readable. In an overview it differs, so
 * that a tree fills its frame in both directions. Large trees are a hundred times as high as wide, and deep ones far
 * wider than high. With one scale, either would shrink to a line.
 */
export interface Camera {
  x: number
  y: number
  scale: number
  across: number
}

export interface Size {
  width: number
  height: number
}

export const leastScale = 0.0005
export const mostScale = 4

/** Below this scale words are unreadable and only colours show. */
const leastReadable = 0.42

/** Below this scale, a readable size would show so little of the tree that the overview is more useful. */
const leastPart = 0.2

const marginPixels = 28

/**
 * Margin left and right of the outermost nodes, in map pixels. It holds the root's name and the count of hidden
 * nodes.
 */
const beside = 80

/** The largest scale at which a deep tree is compressed to fit the frame. */
const mostPressed = 0.7

function wholeScales({ bounds }: TreeLayout, { width, height }: Size): { down: number; wide: number } {
  return {
    down: Math.min(1, (height - 2 * marginPixels) / (bounds.bottom - bounds.top + 30)),
    wide: Math.min(1, (width - 2 * marginPixels) / (bounds.right - bounds.left + beside)),
  }
}

export function acrossAt(layout: TreeLayout, size: Size, scale: number): number {
  const { down, wide } = wholeScales(layout, size)
  const pressed = Math.min(mostPressed, down)
  if (wide >= pressed) return Math.max(scale, wide * Math.min(1, scale / Math.min(down, wide)))
  if (scale <= pressed) return (scale * wide) / pressed
  return scale >= 1 ? scale : wide ** (Math.log(scale) / Math.log(pressed))
}

export function fitAll(layout: TreeLayout, size: Size): Camera {
  const { bounds } = layout
  const { down, wide } = wholeScales(layout, size)
  const pressed = Math.min(mostPressed, down)
  const scale = clampScale(wide >= pressed ? Math.min(down, wide) : pressed)
  const across = acrossAt(layout, size, scale)
  return {
    scale,
    across,
    x: (size.width - (bounds.right + bounds.left) * across) / 2,
    y: (size.height - (bounds.bottom + bounds.top) * scale) / 2,
  }
}

export function centreOn(layout: TreeLayout, node: number, size: Size, scale: number): Camera {
  const across = acrossAt(layout, size, scale)
  return {
    scale,
    across,
    x: size.width / 2 - (layout.x[node] ?? 0) * across,
    y: size.height / 2 - (layout.y[node] ?? 0) * scale,
  }
}

/**
 * The first view. With a chosen node, it shows that node in a readable size. Otherwise it shows the whole tree. If
 * the words of the whole tree would be just barely unreadable, it starts at the root instead.
 */
export function firstView(layout: TreeLayout, chosen: number | null, size: Size): Camera {
  const whole = fitAll(layout, size)
  const readable = Math.min(whole.scale, whole.across)
  const isTelling = readable >= leastReadable || (chosen === null && readable < leastPart)
  if (isTelling) return whole
  const centred = centreOn(layout, chosen ?? 0, size, 0.9)
  // Nothing is left of the root.
  return { ...centred, x: Math.min(centred.x, marginPixels * 2) }
}

export function keepInSight(layout: TreeLayout, node: number, size: Size, camera: Camera): Camera {
  const x = (layout.x[node] ?? 0) * camera.across + camera.x
  const y = (layout.y[node] ?? 0) * camera.scale + camera.y
  const edge = marginPixels / 2
  if (x >= edge && x <= size.width - edge && y >= edge && y <= size.height - edge) return camera
  const label = Math.min(columnWidth * camera.across, size.width / 2)
  return {
    ...camera,
    x: camera.x + inside(x, marginPixels + label, size.width - marginPixels),
    y: camera.y + inside(y, marginPixels, size.height - marginPixels),
  }
}

export function farthest(layout: TreeLayout, size: Size, { scale }: Camera): number {
  return Math.min(scale, fitAll(layout, size).scale / 2)
}

export function zoomTo(
  layout: TreeLayout,
  size: Size,
  camera: Camera,
  { to, around }: { to: number; around: { x: number; y: number } },
): Camera {
  const { x, y, scale, across } = camera
  const next = clampScale(to, farthest(layout, size, camera))
  const nextAcross = acrossAt(layout, size, next)
  return {
    scale: next,
    across: nextAcross,
    x: around.x - ((around.x - x) * nextAcross) / across,
    y: around.y - ((around.y - y) * next) / scale,
  }
}

export function holdStill(
  before: TreeLayout,
  after: TreeLayout,
  { node, size, camera }: { node: number; size: Size; camera: Camera },
): Camera {
  const across = acrossAt(after, size, camera.scale)
  return {
    scale: camera.scale,
    across,
    x: camera.x + (before.x[node] ?? 0) * camera.across - (after.x[node] ?? 0) * across,
    y: camera.y + ((before.y[node] ?? 0) - (after.y[node] ?? 0)) * camera.scale,
  }
}

function inside(at: number, from: number, to: number): number {
  if (at < from) return from - at
  return at > to ? to - at : 0
}

function clampScale(scale: number, least = leastScale): number {
  return Math.min(mostScale, Math.max(least, scale))
}
