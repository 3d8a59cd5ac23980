import type { EpisodeCredit } from '../../shared/core/contracts/rollout-figures.ts'
import type { MapScene } from './map-scene.ts'
import { shades } from './palette.ts'
import { type ValueRange, valueShare } from './value-colour.ts'

export const colours = ['value', 'advantage', 'entropy'] as const
export type Colour = (typeof colours)[number]

/** A figure of the answers that led to the nodes, in place of the nodes' values. A node without it is hollow. */
export interface Colouring {
  colour: Colour
  range: ValueRange
  figures: ReadonlyMap<number, number>
}

/** Advantages have equal ends, so that the middle of the scale is 0. Entropies begin at 0. */
export function creditColouring(
  colour: Exclude<Colour, 'value'>,
  { nodes }: Pick<EpisodeCredit, 'nodes'>,
): Colouring | null {
  const figures = new Map(
    nodes.flatMap(({ node, [colour]: figure }) => (figure === null ? [] : [[node, figure] as const])),
  )
  if (figures.size === 0) return null
  let most = 0
  for (const figure of figures.values()) most = Math.max(most, Math.abs(figure))
  // Of figures that are all zero, any range will do.
  if (most === 0) most = 1
  return { colour, range: { low: colour === 'advantage' ? -most : 0, high: most }, figures }
}

/** The position of a node's colour in the palette; null: it is hollow. */
export function shadeOf({ colouring, moment, range }: MapScene, node: number): number | null {
  const isVisited = (moment.visits[node] ?? 0) > 0
  const value = colouring ? colouring.figures.get(node) : isVisited ? (moment.values[node] ?? 0) : undefined
  if (value === undefined) return null
  return Math.round(valueShare(colouring?.range ?? range, value) * (shades - 1))
}
