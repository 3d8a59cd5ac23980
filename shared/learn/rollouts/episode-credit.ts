import type { JsonObject } from '../../core/contracts/json.ts'
import type { RolloutGroup } from '../../core/contracts/rollout.ts'
import type { EpisodeCredit } from '../../core/contracts/rollout-figures.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import type { Attempts } from '../../data/datasets/attempts.ts'
import { creditGroup } from '../../data/datasets/kinds/rollouts/group-branches.ts'
import { recordedTurns } from '../../data/datasets/kinds/rollouts/token-turns.ts'
import { entropyOf, meanOfKnown } from './group-figures.ts'
import { openMembers, readCredit } from './group-rows.ts'

/**
 * The advantage and the entropy of the answer that led to each node of an episode.
 * @param group - its group with the parameters of its credit; null: the run is no rollout
 */
export async function creditOfEpisode(
  attempts: Attempts,
  {
    run,
    episode,
    group,
  }: { run: string; episode: string; group: { of: RolloutGroup; credit: JsonObject } | null },
): Promise<EpisodeCredit> {
  const attempt = await attempts.open(run, episode)
  const turnOf = recordedTurns(await attempt.journal(), await attempt.tokens())
  const found = group === null ? null : await advantagesIn(attempts, { run, episode, ...group })
  const nodes = (await attempt.tree()).nodes.flatMap((_, node) => {
    const advantage = meanOfKnown(found?.byNode.get(node) ?? [])
    const entropy = node === 0 ? null : entropyOf(turnOf(node)?.logprobs ?? [])
    return advantage === null && entropy === null ? [] : [{ node, advantage, entropy }]
  })
  return { object: 'episode_credit', run, episode, advantage: found?.equation ?? null, nodes }
}

async function advantagesIn(
  attempts: Attempts,
  given: { run: string; episode: string; of: RolloutGroup; credit: JsonObject },
): Promise<{ equation: string; byNode: ReadonlyMap<number, number[]> } | null> {
  const parameters = readCredit(given.credit)
  const task = await openMembers(attempts, given.run, given.of)
  if (task === null || parameters.advantage === 'none') return null
  const random = (key: string) => seededRandom('rollouts', given.run, key)
  const { credited } = await creditGroup(task, parameters, { random })
  const byNode = new Map<number, number[]>()
  const own = credited.find(({ attempt }) => attempt.episode === given.episode)
  for (const { advantages, steps } of own?.branches ?? []) {
    for (const [step, { node }] of steps.entries()) {
      const advantage = advantages?.[step]
      if (advantage !== undefined) byNode.set(node, [...(byNode.get(node) ?? []), advantage])
    }
  }
  return { equation: parameters.advantage, byNode }
}
