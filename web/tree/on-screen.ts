import type { Camera } from './camera.ts'
import { rowHeight } from './layout-tree.ts'
import { type MapScene, radiusOf } from './map-scene.ts'

/** Smaller nodes would be invisible. In pixels, like the constant below. */
const leastRadius = 1.2

const freeRadius = 3

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
      // Shrink more slowly than the map, so that often visited nodes stand out in the overview too.
      radiusOf(scene, node) * (scale < 1 ? Math.sqrt(scale) : scale),
    ),
  }
}
