import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape'

const shapes = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar, symbolWye]
const colours = 6

interface SeriesStyle {
  colour: string
  /**
   * The outline of its sign, centred at 0/0.
   *
   * @param area - in square pixels
   */
  outline: (area: number) => string
}

export function seriesStyle(index: number): SeriesStyle {
  const shape = shapes[index % shapes.length] ?? symbolCircle
  return {
    colour: `var(--series-${(index % colours) + 1})`,
    outline: (area) => symbol(shape, area)() ?? '',
  }
}
