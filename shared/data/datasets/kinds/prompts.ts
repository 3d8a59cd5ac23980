import { z } from 'zod'
import type { RowOf } from '../../../core/contracts/dataset-row.ts'
import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import { withNewestPictures } from '../../../play/search/newest-pictures.ts'
import type { Attempt, TaskGroup } from '../attempt.ts'
import type { DatasetKind } from '../kind.ts'
import { seenHead, seenPictures } from '../seen-pictures.ts'

const share = z.number().min(0).max(1)

const parameters = z
  .strictObject({
    min_success_rate: share.default(0).describe('Minimum success rate of a task; harder tasks are left out.'),
    max_success_rate: share
      .default(1)
      .describe('Maximum success rate of a task; easier tasks are left out, since they teach nothing.'),
  })
  .refine(({ min_success_rate: low, max_success_rate: high }) => low <= high, {
    path: ['min_success_rate'],
    error: 'must not be greater than max_success_rate',
  })

export type PromptsParameters = z.infer<typeof parameters>

type Row = RowOf<'prompt'>

/**
 * The policy's prompt at each task, the settings to play and verify the task again, and the results of the attempts.
 * The prompt is that of the first attempt; the means are over the attempts with a reward.
 */
export const prompts: DatasetKind<PromptsParameters, Row> = {
  id: 'prompts',
  description: 'One prompt for each task, for trainers that let the policy play by itself.',
  source:
    'Shao et al. 2024, GRPO (arXiv 2402.03300); leaving out tasks that are always or never solved, as Yu et al. 2025, DAPO (arXiv 2503.14476)',
  rowType: 'prompt',
  parameters,
  async *rows(group, options, scope) {
    const results = resultsOf(group.attempts)
    const reason = keepOut(results.success_rate, options)
    let isFound = false
    for (const attempt of group.attempts) {
      scope.signal?.throwIfAborted()
      if (reason !== null || isFound) {
        yield { attempt, left_out: reason ?? 'same_prompt' }
        continue
      }
      const tree = await attempt.tree()
      const seen = seenPictures(attempt, scope)
      const head = seenHead(tree, seen)
      isFound = tree.messages.length > 0 && head !== null
      if (tree.messages.length === 0 || head === null) {
        yield { attempt, left_out: head === null ? 'not_text' : 'no_prompt' }
        continue
      }
      const prompt = withNewestPictures(head, seen ?? 0)
      const reference = { ...taskOf(group), seed: attempt.seed, ...results }
      yield { row: { type: 'prompt', prompt, reference }, origin: { attempt, node_ids: [0] } }
    }
  },
}

function taskOf({ environment, data, task }: TaskGroup) {
  return { environment, data, task }
}

function resultsOf(all: readonly Attempt[]) {
  const rewards = all.flatMap(({ reward }) => reward ?? [])
  const solved = all.filter(({ reward, success }) => reward !== null && success)
  const mean = (sum: number) => (rewards.length === 0 ? null : sum / rewards.length)
  return {
    mean_reward: mean(rewards.reduce((sum, reward) => sum + reward, 0)),
    success_rate: mean(solved.length),
    attempts: rewards.length,
  }
}

function keepOut(
  rate: number | null,
  { min_success_rate: low, max_success_rate: high }: PromptsParameters,
): LeftOutReason | null {
  if (rate === null) return low > 0 || high < 1 ? 'no_reward' : null
  return rate < low || rate > high ? 'success_rate' : null
}
