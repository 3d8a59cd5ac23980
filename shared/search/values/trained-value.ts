import type { SearchScope } from '../search-scope.ts'
import { onceForEach, type ValueFunction } from './value-function.ts'

/**
 * The value of a model that was trained to give one: an endpoint that classifies the way to a node.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for OSWorld: `ft_value_func`, clipped to [−1, 1]
 */
export function trainedValue(scope: SearchScope): ValueFunction {
  return onceForEach(-1, async (node) => {
    const messages = [
      { role: 'system' as const, content: scope.rules },
      { role: 'user' as const, content: scope.transcript(node, 'value') },
    ]
    const value = await scope.score(`node/${node.index}/value/score`, messages)
    return { value: Math.max(-1, Math.min(1, value)), account: null }
  })
}
