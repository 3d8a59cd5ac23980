import type { RefObject } from 'react'
import { DrawingButtons } from './drawing-buttons.tsx'
import { figureDrawing } from './figure-drawing.ts'

export function FigureButtons({ title, figure }: { title: string; figure: RefObject<HTMLElement | null> }) {
  return <DrawingButtons title={title} draw={() => figure.current && figureDrawing(figure.current)} />
}
