/** Left, top, width and height in pixels of the viewport. */
export type Bounds = readonly [x: number, y: number, width: number, height: number]

export interface ViewportSize {
  width: number
  height: number
}

export interface SeenElement {
  text: string
  bounds: Bounds | undefined
}

export interface SeenPage {
  text: string
  elements: ReadonlyMap<string, SeenElement>
}

export const rootBounds: Bounds = [0, 0, 10, 10]

const seenRatio = 0.6

/**
 * Tests if an element counts as seen in the viewport. The reference multiplies the share of its width by its height
 * in pixels. Any element taller than a few pixels is therefore seen as soon as a part of it is visible. The
 * observations depend on this.
 */
export function isInViewport(bounds: Bounds | undefined, viewport: ViewportSize): boolean {
  if (bounds === undefined) return false
  const [x, y, width, height] = bounds
  if (width === 0 || height === 0) return false
  const overlapX = Math.max(0, Math.min(x + width, viewport.width) - Math.max(x, 0))
  const overlapY = Math.max(0, Math.min(y + height, viewport.height) - Math.max(y, 0))
  return ((overlapX * overlapY) / width) * height >= seenRatio
}

export function describeTabs(titles: readonly string[], current: number): string {
  return titles
    .map((title, index) =>
      index === current ? `Tab ${index} (current): ${title}` : `Tab ${index}: ${title}`,
    )
    .join(' | ')
}

interface TreeNode {
  parent: string | undefined
  children: string[]
}

export function liftChildren(nodes: ReadonlyMap<string, TreeNode>, isHidden: (id: string) => boolean): void {
  for (const [id, node] of nodes) {
    const parent = nodes.get(node.parent ?? '')
    if (parent === undefined || !isHidden(id)) continue
    const place = parent.children.indexOf(id)
    if (place === -1) continue
    parent.children.splice(place, 1, ...node.children)
    for (const child of node.children) {
      const lifted = nodes.get(child)
      if (lifted !== undefined) lifted.parent = node.parent
    }
  }
}
