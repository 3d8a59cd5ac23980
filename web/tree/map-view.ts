import { select } from 'd3-selection'
import { type D3ZoomEvent, zoom, zoomIdentity } from 'd3-zoom'
import type { Drawing } from '../drawings/drawing.ts'
import { type Camera, farthest, fitAll, mostScale, type Size, zoomTo } from './camera.ts'
import { pointOfMap } from './map-overview.ts'
import type { MapScene } from './map-scene.ts'
import { onScreen } from './on-screen.ts'
import { TreeCanvas } from './tree-canvas.ts'
import { watchTheme } from './watch-theme.ts'

export interface MapView {
  show(scene: MapScene): void
  fit(): void
  zoomBy(factor: number): void
  nodeAt(point: { clientX: number; clientY: number }): number | null
  goTo(point: { x: number; y: number }): void
  drawing(): Drawing | null
  close(): void
}

const room = 6

export function openMapView(
  frame: HTMLElement,
  canvas: HTMLCanvasElement,
  onCamera: (camera: Camera, frame: Size) => void,
): MapView {
  const selection = select(frame)
  const zooming = zoom<HTMLElement, unknown>()
  // d3's current transform. A gesture moves the camera by the difference to it.
  let hand = zoomIdentity
  const picture = new TreeCanvas(frame, canvas, (camera, size) => {
    if (picture.scene !== null) {
      zooming.scaleExtent([farthest(picture.scene.layout, size, camera), mostScale])
    }
    if (camera.scale !== hand.k) {
      hand = zoomIdentity.scale(camera.scale)
      selection.call(zooming.transform, hand)
    }
    onCamera(camera, size)
  })
  zooming.on('zoom', ({ transform }: D3ZoomEvent<HTMLElement, unknown>) => {
    const { scene, camera, size } = picture
    const before = hand
    hand = transform
    if (scene === null || camera === null) return
    const ratio = transform.k / before.k
    if (ratio === 1) {
      const [right, down] = [transform.x - before.x, transform.y - before.y]
      if (right !== 0 || down !== 0) picture.look({ ...camera, x: camera.x + right, y: camera.y + down })
    } else {
      const around = {
        x: (transform.x - before.x * ratio) / (1 - ratio),
        y: (transform.y - before.y * ratio) / (1 - ratio),
      }
      picture.look(zoomTo(scene.layout, size, camera, { to: transform.k, around }))
    }
  })
  selection.call(zooming).on('dblclick.zoom', null)
  const sizes = new ResizeObserver(([entry]) => entry && picture.resize(entry.contentRect))
  sizes.observe(frame)
  const unwatch = watchTheme(() => picture.recolour())

  return {
    show: (scene) => picture.show(scene),
    fit() {
      if (picture.scene !== null) picture.look(fitAll(picture.scene.layout, picture.size))
    },
    zoomBy(factor) {
      const { scene, camera, size } = picture
      if (scene === null || camera === null) return
      const around = { x: size.width / 2, y: size.height / 2 }
      picture.look(zoomTo(scene.layout, size, camera, { to: camera.scale * factor, around }))
    },
    nodeAt({ clientX, clientY }) {
      const { scene, camera } = picture
      if (scene === null || camera === null) return null
      const { left, top } = frame.getBoundingClientRect()
      return nodeAtPoint(scene, camera, { x: clientX - left, y: clientY - top }, room)
    },
    goTo(point) {
      const { scene, camera, size } = picture
      if (scene === null || camera === null) return
      const { x, y } = pointOfMap(scene.layout, point)
      picture.look({
        ...camera,
        x: size.width / 2 - x * camera.across,
        y: size.height / 2 - y * camera.scale,
      })
    },
    drawing: () => picture.drawing(),
    close() {
      sizes.disconnect()
      unwatch()
      picture.close()
      selection.on('.zoom', null)
    },
  }
}

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
