import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { SearchNode } from '../search/tree.ts'
import type { MethodScope } from './method-scope.ts'
import { type AnswerStyle, parseAnswer } from './parse-answer.ts'

const beginnings = z.record(z.string(), z.array(z.string().min(1).max(20_000)).min(1).max(200))

export const beginningParameters = {
  beginnings: beginnings
    .optional()
    .describe(
      'By task, answers to play before the model continues with its full number of steps. Other tasks begin at their start. Agent-R’s recovery test uses bad beginnings.',
    ),
}

/**
 * Plays the given answers of the task, and returns the node at their end.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), perform_test_revise
 */
export async function playBeginning(
  scope: MethodScope,
  { beginnings, style }: { beginnings?: Record<string, string[]> | undefined; style: AnswerStyle },
): Promise<SearchNode> {
  let node = scope.tree.root
  if (beginnings === undefined) return node
  const { environment, task } = scope.tree.toTree()
  for (const [at, answer] of (beginnings[task] ?? []).entries()) {
    if (node.done) break
    const parsed = parseAnswer(answer, style, environment, scope.guide.blocks)
    node = await scope.step(node, { ...parsed, effect: `node/${node.index}/beginning/${at}` })
  }
  return node
}

/** @throws EspalierError for a beginning of a task that the run does not play */
export function checkBeginnings(given: JsonObject, tasks: readonly { id: string }[]): void {
  const known = new Set(tasks.map(({ id }) => id))
  const other = Object.keys(given.beginnings ?? {}).find((task) => !known.has(task))
  if (other === undefined) return
  throw new EspalierError(
    'invalid_request',
    `method.beginnings has the task "${other}", which this run does not play. Leave it out, or name it in tasks.ids.`,
    { param: 'method.beginnings' },
  )
}
