import type { Camera } from './camera.ts'
import { rowHeight } from './layout-tree.ts'
import { type MapScene, radiusOf } from './map-scene.ts'

/** Below this a node could not be seen. In pixels, as all that follows. */
const leastRadius = 1.2

/** As large a node may always be where the one below it leaves room, however small the map is. */
const freeRadius = 3

/** Where a node is drawn and how large, in pixels. */
export function onScreen(
  scene: MapScene,
  node: number,
  { x, y, scale, across }: Camera,
): { x: number; y: number; radius: number } {
  return {
    x: (scene.layout.x[node] ?? 0) * across + x,
    y: (scene.layout.y[node] ?? 0) * scale + y,
    radius: Math.max(
      leastRadius,
      Math.min(freeRadius, rowHeight * 0.4 * scale),
      // Slower than the map grows smaller, so that much visited nodes stand out in the whole of it too.
      radiusOf(scene, node) * (scale < 1 ? Math.sqrt(scale) : scale),
    ),
  }
}
