import type { Camera, Size } from './camera.ts'
import type { Palette } from './palette.ts'

/** What painting a map takes of a canvas, so that it can be drawn elsewhere too. */
export type PaintContext = Pick<
  CanvasRenderingContext2D,
  | 'arc'
  | 'beginPath'
  | 'bezierCurveTo'
  | 'clearRect'
  | 'closePath'
  | 'direction'
  | 'fill'
  | 'fillStyle'
  | 'fillText'
  | 'font'
  | 'globalAlpha'
  | 'lineJoin'
  | 'lineTo'
  | 'lineWidth'
  | 'measureText'
  | 'moveTo'
  | 'rect'
  | 'setLineDash'
  | 'stroke'
  | 'strokeStyle'
  | 'textBaseline'
>

/** What a map is painted on and how. Sizes are in pixels of the page. */
export interface Painting {
  context: PaintContext
  camera: Camera
  size: Size
  palette: Palette
}
