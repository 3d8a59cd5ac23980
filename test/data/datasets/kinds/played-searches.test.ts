import { expect, test } from 'vitest'
import type { Attempt } from '../../../../shared/data/datasets/attempt.ts'
import { findMaskFault } from '../../../../shared/data/datasets/gates/find-mask-fault.ts'
import type { DatasetKind } from '../../../../shared/data/datasets/kind.ts'
import { preference } from '../../../../shared/data/datasets/kinds/preference.ts'
import { processReward } from '../../../../shared/data/datasets/kinds/process-reward.ts'
import { prompts } from '../../../../shared/data/datasets/kinds/prompts.ts'
import { sft } from '../../../../shared/data/datasets/kinds/sft.ts'
import { stepPreference } from '../../../../shared/data/datasets/kinds/step-preference.ts'
import { unpaired } from '../../../../shared/data/datasets/kinds/unpaired.ts'
import { groupOf } from '../../../builders/attempts.ts'
import { findAll } from './hand-made.ts'
import { craft } from './made-attempt.ts'

const search = { id: 'mcts', iterations: 6, samples: 3, max_depth: 12 }

/** One task, searched by a model that is good enough to solve it, and tried by one that is not. */
async function playBoth(): Promise<readonly Attempt[]> {
  const played = [await craft(search, 0.8, 3), await craft({ id: 'react' }, 0, 3)]
  return played.map((attempt, place) => ({ ...attempt, episode: `e${place}` }))
}

let played: readonly Attempt[] | null = null

/** Both, played by the first test that asks: what they left is in memory. */
async function playedOnce(): Promise<readonly Attempt[]> {
  played ??= await playBoth()
  return played
}

const kinds: [string, DatasetKind, object][] = [
  ['sft', sft, {}],
  ['sft of all ends', sft, { paths: 'ends' }],
  ['preference', preference, {}],
  ['step-preference', stepPreference, {}],
  ['unpaired', unpaired, {}],
  ['unpaired of all steps', unpaired, { level: 'step', paths: 'ends' }],
  ['process-reward', processReward, {}],
  ['prompts', prompts, {}],
]

test.each(kinds)(
  '%s finds rows in what was really played, and no gate finds a fault in them',
  async (_, kind, given) => {
    const { rows } = await findAll(kind, groupOf(await playedOnce()), given)
    expect(rows).not.toEqual([])
    expect(rows.map(findMaskFault).filter((fault) => fault !== null)).toEqual([])
  },
)

test('a search gives more trajectories than its answer', async () => {
  const attempts = await playedOnce()
  const [answer, ends] = [await findAll(sft, attempts), await findAll(sft, attempts, { paths: 'ends' })]
  expect(answer.rows).toHaveLength(1)
  expect(ends.rows.length).toBeGreaterThan(1)
  expect(ends.rows).toContainEqual(answer.rows[0])
})
