import type { Camera, Size } from './camera.ts'
import type { Palette } from './palette.ts'

/** The canvas methods that a map uses, so that another target can implement them. */
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

export interface Painting {
  context: PaintContext
  camera: Camera
  size: Size
  /** The margin on each side that is painted beyond the frame, in pixels. Default: none. */
  beyond?: Size
  palette: Palette
}
