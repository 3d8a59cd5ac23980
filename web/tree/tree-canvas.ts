import type { Drawing } from '../drawings/drawing.ts'
import { acrossAt, type Camera, firstView, holdStill, keepInSight, type Size } from './camera.ts'
import { isPlaced, type TreeLayout } from './layout-tree.ts'
import type { MapScene } from './map-scene.ts'
import { paintTree } from './paint-tree.ts'
import { type Palette, plainPalette, readPalette } from './palette.ts'
import { SvgContext } from './svg-context.ts'

/** The extra area painted on each side, as a share of the frame, so that panning only moves the picture. */
const overscan = 0.5

const zoomSettleMilliseconds = 120

/**
 * The picture of a tree in its frame.
 *
 * Painting a large tree takes longer than an animation frame. So the picture is larger than the frame, and the
 * browser moves or stretches it as a whole. It is repainted when its rim comes into view or when the movement stops.
 */
export class TreeCanvas {
  readonly #frame: HTMLElement
  readonly #canvas: HTMLCanvasElement
  #palette: Palette
  #size: Size = { width: 0, height: 0 }
  #camera: Camera | null = null
  #painted: Camera | null = null
  #scene: MapScene | null = null
  #wish = 0
  #rest: ReturnType<typeof setTimeout> | undefined
  #onCamera: (camera: Camera, frame: Size) => void

  constructor(
    frame: HTMLElement,
    canvas: HTMLCanvasElement,
    onCamera: (camera: Camera, frame: Size) => void,
  ) {
    this.#frame = frame
    this.#canvas = canvas
    this.#onCamera = onCamera
    this.#palette = readPalette(frame)
  }

  get camera(): Camera | null {
    return this.#camera
  }

  get size(): Size {
    return this.#size
  }

  get scene(): MapScene | null {
    return this.#scene
  }

  show(scene: MapScene): void {
    const before = this.#scene
    this.#scene = scene
    if (this.#camera === null || before === null) {
      this.#begin()
      return
    }
    let camera = this.#camera
    if (before.layout !== scene.layout) {
      camera = holdStill(before.layout, scene.layout, {
        node: this.#anchor(before.layout, scene),
        size: this.#size,
        camera,
      })
    }
    for (const node of newlyShown(before, scene)) camera = keepInSight(scene.layout, node, this.#size, camera)
    this.#point(camera)
    this.#paintSoon()
  }

  look(camera: Camera): void {
    this.#point(camera)
    if (this.#isCovered()) this.#move()
    else this.#paintSoon()
    clearTimeout(this.#rest)
    if (camera.scale !== this.#painted?.scale)
      this.#rest = setTimeout(() => this.#paintSoon(), zoomSettleMilliseconds)
  }

  resize(size: Size): void {
    if (size.width === this.#size.width && size.height === this.#size.height) return
    this.#size = size
    const density = Math.min(2, devicePixelRatio)
    const { width, height } = this.#paper()
    this.#canvas.width = Math.round(width * density)
    this.#canvas.height = Math.round(height * density)
    this.#canvas.style.width = `${width}px`
    this.#canvas.style.height = `${height}px`
    this.#canvas.style.left = `${-size.width * overscan}px`
    this.#canvas.style.top = `${-size.height * overscan}px`
    if (this.#camera === null) this.#begin()
    else this.#widen()
  }

  recolour(): void {
    this.#palette = readPalette(this.#frame)
    this.#paintSoon()
  }

  drawing(): Drawing | null {
    const measuring = this.#canvas.getContext('2d')
    if (measuring === null || this.#camera === null || this.#scene === null) return null
    const context = new SvgContext((text, font) => {
      measuring.font = font
      return measuring.measureText(text)
    })
    const size = { width: Math.round(this.#size.width), height: Math.round(this.#size.height) }
    const palette = plainPalette(this.#palette)
    paintTree({ context, camera: this.#camera, size, palette }, this.#scene)
    return context.drawing(size, palette.surface)
  }

  close(): void {
    cancelAnimationFrame(this.#wish)
    clearTimeout(this.#rest)
  }

  #begin(): void {
    if (this.#scene === null || this.#size.width === 0) return
    this.#point(firstView(this.#scene.layout, opensAt(this.#scene), this.#size))
    this.#paintSoon()
  }

  #widen(): void {
    if (this.#camera === null || this.#scene === null) return
    const { scale } = this.#camera
    this.#point({ ...this.#camera, across: acrossAt(this.#scene.layout, this.#size, scale) })
    this.#paint()
  }

  #point(camera: Camera): void {
    this.#camera = camera
    this.#onCamera(camera, this.#size)
  }

  #anchor(before: TreeLayout, { layout, chosen }: MapScene): number {
    if (chosen !== null && isPlaced(before, chosen) && isPlaced(layout, chosen)) return chosen
    const { x, y, scale, across } = this.#camera as Camera
    const middle = { x: (this.#size.width / 2 - x) / across, y: (this.#size.height / 2 - y) / scale }
    let nearest = 0
    let least = Number.POSITIVE_INFINITY
    for (const node of layout.nodes) {
      const distance = Math.hypot((before.x[node] ?? 0) - middle.x, (before.y[node] ?? 0) - middle.y)
      if (distance < least) {
        nearest = node
        least = distance
      }
    }
    return nearest
  }

  #paper(): Size {
    return { width: this.#size.width * (1 + 2 * overscan), height: this.#size.height * (1 + 2 * overscan) }
  }

  #paintSoon(): void {
    cancelAnimationFrame(this.#wish)
    this.#wish = requestAnimationFrame(() => this.#paint())
  }

  #paint(): void {
    const context = this.#canvas.getContext('2d')
    if (context === null || this.#camera === null || this.#scene === null) return
    const { x, y } = this.#camera
    const density = this.#canvas.width / Math.max(1, this.#paper().width)
    context.setTransform(density, 0, 0, density, 0, 0)
    const beyond = { width: this.#size.width * overscan, height: this.#size.height * overscan }
    const camera = { ...this.#camera, x: x + beyond.width, y: y + beyond.height }
    paintTree({ context, camera, size: this.#paper(), beyond, palette: this.#palette }, this.#scene)
    this.#painted = this.#camera
    this.#canvas.style.transform = ''
    // Tests and benchmarks wait for this attribute.
    this.#frame.dataset.painted = String(this.#scene.layout.nodes.length)
  }

  #move(): void {
    const { right, down, wider, larger } = this.#shift()
    const { width, height } = this.#size
    // The picture's corner lies above and left of the frame's corner.
    const x = right + (1 - wider) * width * overscan
    const y = down + (1 - larger) * height * overscan
    this.#canvas.style.transform = `translate(${x}px, ${y}px) scale(${wider}, ${larger})`
  }

  #isCovered(): boolean {
    if (this.#painted === null) return false
    const { right, down, wider, larger } = this.#shift()
    const { width, height } = this.#size
    return (
      larger > 0.5 &&
      larger < 2 &&
      right - width * overscan * wider <= 0 &&
      down - height * overscan * larger <= 0 &&
      right + width * (1 + overscan) * wider >= width &&
      down + height * (1 + overscan) * larger >= height
    )
  }

  #shift(): { right: number; down: number; wider: number; larger: number } {
    const now = this.#camera as Camera
    const then = this.#painted as Camera
    const wider = now.across / then.across
    const larger = now.scale / then.scale
    return { wider, larger, right: now.x - then.x * wider, down: now.y - then.y * larger }
  }
}

export function opensAt(scene: MapScene): number | null {
  if (scene.isAnswerAtFirst) return null
  return scene.chosen === null || isThere(scene, scene.chosen) ? scene.chosen : placeOfStep(scene)
}

export function newlyShown(before: MapScene, scene: MapScene): number[] {
  const { chosen, happening } = scene
  if (chosen !== null && !isThere(scene, chosen)) {
    return before.chosen === chosen && before.moment === scene.moment ? [] : [placeOfStep(scene)]
  }
  const last = before.happening === happening ? undefined : happening.at(-1)
  return [
    ...(last === undefined ? [] : [last]),
    ...(chosen === null || chosen === before.chosen ? [] : [chosen]),
  ].filter((node) => isPlaced(scene.layout, node))
}

function isThere({ moment }: MapScene, node: number): boolean {
  return node < moment.count
}

function placeOfStep({ happening, layout }: MapScene): number {
  return happening.findLast((node) => isPlaced(layout, node)) ?? 0
}
