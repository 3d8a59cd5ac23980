import type { Camera } from './camera.ts'
import type { MapScene } from './map-scene.ts'
import { onScreen } from './on-screen.ts'

/**
 * The nearest node at a point of the frame; null where there is none.
 *
 * @param room - how far from its rim a node is still meant, in pixels
 */
export function nodeAtPoint(
  scene: MapScene,
  camera: Camera,
  point: { x: number; y: number },
  room: number,
): number | null {
  let nearest: number | null = null
  let least = Number.POSITIVE_INFINITY
  for (const node of scene.layout.nodes) {
    if (node >= scene.moment.count) continue
    const { x, y, radius } = onScreen(scene, node, camera)
    const distance = Math.hypot(x - point.x, y - point.y)
    if (distance < least && distance <= radius + room) {
      nearest = node
      least = distance
    }
  }
  return nearest
}
