import type { EpisodeCall } from '../../shared/core/contracts/episode-calls.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import type { Colouring } from './colouring.ts'

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
