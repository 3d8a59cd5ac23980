import type { Domain } from './plot-domain.ts'

/** The size of a drawing and its margins, in pixels. */
export interface PlotFrame {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
}

/** The frame of a plot with two axes. The height is fixed, so that nothing moves when the numbers arrive. */
export function plotFrame(width: number): PlotFrame {
  return { width: Math.max(280, width), height: 360, left: 54, right: 18, top: 14, bottom: 48 }
}

export function acrossOf({ width, left, right }: PlotFrame): Domain {
  return [left, width - right]
}

export function upOf({ height, top, bottom }: PlotFrame): Domain {
  return [height - bottom, top]
}

export function ticksAcross({ width }: PlotFrame): number {
  return Math.max(3, Math.floor(width / 90))
}
