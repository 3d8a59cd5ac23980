import { columnWidth, type TreeLayout } from './layout-tree.ts'

/**
 * What part of the map is seen: a point of the map is drawn at `(across * x, scale * y) + camera`. `scale` is how large
 * things are. `across` is the same where words can be read; where the whole is seen it differs, so that a tree fills its
 * frame both ways: large trees are a hundred times as high as they are wide, deep ones far wider than high, and as a whole
 * either would be a line.
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

/** The least scale that a tree is shown at as a whole. */
export const leastScale = 0.0005
export const mostScale = 4

/** Below this a map is a picture of colours; its words cannot be read. */
const leastReadable = 0.42

/** Below this so little of a tree could be seen in a size to read that the picture of the whole says more. */
const leastPart = 0.2

/** Room around the whole tree, in pixels of the screen. */
const rim = 28

/** The room left and right of the outermost nodes, in pixels of the map: the root's name, how much is hidden. */
const beside = 80

/** The largest scale at which a deep tree is pressed together, to be seen whole. */
const mostPressed = 0.7

/** The scales at which all of a layout fits its frame, down and across. */
function wholeScales({ bounds }: TreeLayout, { width, height }: Size): { down: number; wide: number } {
  return {
    down: Math.min(1, (height - 2 * rim) / (bounds.bottom - bounds.top + 30)),
    wide: Math.min(1, (width - 2 * rim) / (bounds.right - bounds.left + beside)),
  }
}

/**
 * How far a layout is stretched, or pressed, across at a scale. It grows with the scale, and from 1 on it is the same. Where more
 * than the whole is seen, the tree keeps its proportions.
 */
export function acrossAt(layout: TreeLayout, size: Size, scale: number): number {
  const { down, wide } = wholeScales(layout, size)
  const pressed = Math.min(mostPressed, down)
  if (wide >= pressed) return Math.max(scale, wide * Math.min(1, scale / Math.min(down, wide)))
  if (scale <= pressed) return (scale * wide) / pressed
  return scale >= 1 ? scale : wide ** (Math.log(scale) / Math.log(pressed))
}

/** The camera that shows the whole tree, never larger than life. */
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

/** The camera that shows a node in the middle. */
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
 * The first view: the chosen node in a size to read, where there is one. Otherwise all of the tree, except where its words can
 * only just not be read then: such a tree is opened at its root.
 */
export function firstView(layout: TreeLayout, chosen: number | null, size: Size): Camera {
  const whole = fitAll(layout, size)
  const readable = Math.min(whole.scale, whole.across)
  const isTelling = readable >= leastReadable || (chosen === null && readable < leastPart)
  if (isTelling) return whole
  const centred = centreOn(layout, chosen ?? 0, size, 0.9)
  // Near the root there is nothing to its left.
  return { ...centred, x: Math.min(centred.x, rim * 2) }
}

/** The camera moved so that a node comes into sight with its label; it rests where the node is seen already. */
export function keepInSight(layout: TreeLayout, node: number, size: Size, camera: Camera): Camera {
  const x = (layout.x[node] ?? 0) * camera.across + camera.x
  const y = (layout.y[node] ?? 0) * camera.scale + camera.y
  const edge = rim / 2
  if (x >= edge && x <= size.width - edge && y >= edge && y <= size.height - edge) return camera
  const label = Math.min(columnWidth * camera.across, size.width / 2)
  return {
    ...camera,
    x: camera.x + inside(x, rim + label, size.width - rim),
    y: camera.y + inside(y, rim, size.height - rim),
  }
}

/** How far one can go away: until the whole tree takes half of its frame, unless one is farther away already. */
export function farthest(layout: TreeLayout, size: Size, { scale }: Camera): number {
  return Math.min(scale, fitAll(layout, size).scale / 2)
}

/** Another scale around a point of the screen: what is shown at that point stays there. */
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

/** The camera that shows a node where the last layout had it, so that what comes does not move what is looked at. */
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

/** How far to move what is outside of a stretch. */
function inside(at: number, from: number, to: number): number {
  if (at < from) return from - at
  return at > to ? to - at : 0
}

function clampScale(scale: number, least = leastScale): number {
  return Math.min(mostScale, Math.max(least, scale))
}
