import type { EpisodeCall } from '../../shared/core/contracts/episode-calls.ts'
import type { EpisodeCredit } from '../../shared/core/contracts/rollout-figures.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import type { MapScene } from './map-scene.ts'
import { seriesColours, shades } from './palette.ts'
import { type ValueRange, valueShare } from './value-colour.ts'

export const colours = ['value', 'advantage', 'entropy', 'model'] as const
export type Colour = (typeof colours)[number]

// A figure in place of the nodes' values, of the answers that led to them. A node without it is hollow.
export interface Colouring {
  // `solved`: of a merged graph, the share of a state's episodes that solved the task.
  colour: Colour | 'solved'
  range: ValueRange
  figures: ReadonlyMap<number, number>
  // Of models: figures are positions in this list, with a colour each.
  names?: readonly string[]
}

/** Advantages have equal ends, so that the middle of the scale is 0. Entropies begin at 0. */
export function creditColouring(
  colour: 'advantage' | 'entropy',
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

export function shownValue(
  { colouring, moment }: Pick<MapScene, 'colouring' | 'moment'>,
  node: number,
): number | null {
  if (colouring?.colour === 'solved') return colouring.figures.get(node) ?? null
  return (moment.visits[node] ?? 0) > 0 ? (moment.values[node] ?? 0) : null
}

/** The position of a node's colour in the palette; null: it is hollow. */
export function shadeOf({ colouring, moment, range }: MapScene, node: number): number | null {
  const isVisited = (moment.visits[node] ?? 0) > 0
  const value = colouring ? colouring.figures.get(node) : isVisited ? (moment.values[node] ?? 0) : undefined
  if (value === undefined) return null
  if (colouring?.names !== undefined) return shades + (value % seriesColours)
  return Math.round(valueShare(colouring?.range ?? range, value) * (shades - 1))
}

export function modelOf(colouring: Colouring | undefined, node: number): string | undefined {
  return colouring?.names?.[colouring.figures.get(node) ?? -1]
}

type NamedCall = Pick<EpisodeCall, 'answers' | 'asked' | 'model' | 'node'>

/**
 * Colours each node by the model whose answer led to it: the agent's call at the parent that gave the node's answer, or
 * else its only model there. A node whose calls name no model is hollow.
 */
export function modelColouring({ nodes }: Tree, calls: readonly NamedCall[]): Colouring {
  const names: string[] = []
  const figures = new Map<number, number>()
  const byNode = Map.groupBy(
    calls.filter(({ asked, model }) => asked === 'policy' && model !== null),
    ({ node }) => node,
  )
  for (const [node, { message, parent }] of nodes.entries()) {
    if (parent === null || message === null) continue
    const asked = byNode.get(parent) ?? []
    const giving = asked.filter(({ answers }) => answers.includes(message))
    const models = new Set((giving.length > 0 ? giving : asked).map(({ model }) => model))
    const [model] = models
    if (models.size !== 1 || typeof model !== 'string') continue
    if (!names.includes(model)) names.push(model)
    figures.set(node, names.indexOf(model))
  }
  return { colour: 'model', range: { low: 0, high: names.length }, figures, names }
}
