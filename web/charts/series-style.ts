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

/** How a series looks in every plot of a page, by its place among the series: 42 pairs of a colour and a shape. */
interface SeriesStyle {
  colour: string
  /**
   * The outline of its sign, around 0/0.
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
