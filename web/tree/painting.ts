import type { Camera, Size } from './camera.ts'
import type { Palette } from './palette.ts'

/** What a map is painted on and how. Sizes are in pixels of the page. */
export interface Painting {
  context: CanvasRenderingContext2D
  camera: Camera
  size: Size
  palette: Palette
}
