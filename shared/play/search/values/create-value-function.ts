import type { SearchScope } from '../search-scope.ts'
import { debate, singleDebate } from './debate.ts'
import { judge } from './judge.ts'
import { type StatusScale, usualVerdicts } from './statuses.ts'
import { type Advise, onceForEach, type ValueFunction } from './value-function.ts'

export interface ValueSettings {
  value: 'reward' | 'judge' | 'debate' | 'single-debate' | 'endpoint'
  /** Number of verdicts to average; in a debate, per order. @default 20 for one judge, 3 for a debate (ExACT) */
  verdicts?: number | undefined
  rubric: boolean
  /** @default that of {@link usualVerdicts} */
  scale?: StatusScale | undefined
}

export function createValueFunction(
  scope: SearchScope,
  { value, verdicts, rubric, scale }: ValueSettings,
  advise?: Advise,
): ValueFunction {
  const verdictsOf = (usual: { verdicts: number; scale: StatusScale }) => ({
    verdicts: verdicts ?? usual.verdicts,
    scale: scale ?? usual.scale,
  })
  switch (value) {
    case 'reward':
      return environmentReward()
    case 'judge':
      return judge(scope, { rubric, ...verdictsOf(usualVerdicts.judge) }, advise)
    case 'debate':
      return debate(scope, verdictsOf(usualVerdicts.debate), advise)
    case 'single-debate':
      return singleDebate(scope, verdictsOf(usualVerdicts['single-debate']))
    case 'endpoint':
      return trainedValue(scope)
  }
}

/** The reward of the step that led to a state: an oracle, because it shows whether the task is solved. */
function environmentReward(): ValueFunction {
  return onceForEach(0, async ({ reward }) => ({ value: reward, account: null }))
}

/**
 * The value of a trained value model: an endpoint that classifies the path to a node.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for desktops: `ft_value_func`, clipped to [−1, 1]
 */
function trainedValue(scope: SearchScope): ValueFunction {
  return onceForEach(-1, async (node) => {
    const messages = [
      { role: 'system' as const, content: scope.rules },
      { role: 'user' as const, content: await scope.transcript(node, 'value') },
    ]
    const value = await scope.score(`node/${node.index}/value/score`, messages)
    return { value: Math.max(-1, Math.min(1, value)), account: null }
  })
}
