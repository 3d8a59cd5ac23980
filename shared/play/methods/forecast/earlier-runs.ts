import { isDeepStrictEqual } from 'node:util'
import type { Run, RunRequest } from '../../../core/contracts/run.ts'
import { addUsage, noUsage, type Usage } from '../../../core/contracts/usage.ts'
import type { Runs } from '../../../core/engine/runs/runs.ts'
import { builtinData } from '../../../environments/open-environments.ts'

const looked = 100

export interface Earlier {
  runs: string[]
  episodes: number
  learning: number
  sameTasks: boolean
  sameLimits: boolean
  limited: number
  used: Usage
}

/**
 * Finds ended runs of the same environment with the same data, method, model and prompts, whose episodes had the same
 * limits or none. Prefers runs with the same limits and the same tasks, if there are any. Reads at most one page of the
 * list of runs.
 *
 * @param request - with every default filled in
 */
export async function findEarlier(runs: Pick<Runs, 'list'>, request: RunRequest): Promise<Earlier | null> {
  const { data } = await runs.list({ limit: looked })
  const alike = data.filter((run) => isAlike(run, request))
  const bounded = preferred(alike, (run) =>
    isDeepStrictEqual(run.request.episode_limits, request.episode_limits),
  )
  const { chosen: found, preferred: sameTasks } = preferred(bounded.chosen, (run) =>
    isDeepStrictEqual(run.request.tasks, request.tasks),
  )
  if (found.length === 0) return null
  const episodes = found.reduce((sum, run) => sum + run.episodes.total, 0)
  return {
    runs: found.map(({ id }) => id),
    episodes,
    learning: found.reduce((sum, run) => sum + run.learning_episodes, 0),
    sameTasks,
    sameLimits: bounded.preferred,
    limited: found.reduce((sum, run) => sum + run.episodes.limited, 0) / episodes,
    used: found.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
  }
}

export function shareOut(
  { episodes, learning, used }: Earlier,
  expected: { play: Usage; learn: Usage | null },
): { play: Usage; learn: Usage } {
  const share = (amount: keyof Usage, weight: number | null) => {
    const play = expected.play[amount] ?? 0
    const learn = expected.learn?.[amount] ?? 0
    const weights = play * (episodes - learning) + learn * learning
    const total = used[amount] ?? 0
    // If no usage is expected, every episode gets an equal share.
    return weights === 0 ? total / episodes : (total * (weight ?? 0)) / weights
  }
  const of = (weights: Usage | null): Usage => ({
    model_calls: share('model_calls', weights?.model_calls ?? null),
    input_tokens: share('input_tokens', weights?.input_tokens ?? null),
    output_tokens: share('output_tokens', weights?.output_tokens ?? null),
    cost: used.cost === null ? null : share('cost', weights?.cost ?? null),
  })
  return { play: of(expected.play), learn: of(expected.learn) }
}

function preferred(runs: Run[], holds: (run: Run) => boolean): { chosen: Run[]; preferred: boolean } {
  const better = runs.filter(holds)
  return better.length > 0 ? { chosen: better, preferred: true } : { chosen: runs, preferred: false }
}

/** Only whole runs count: in other runs some episodes have not used their full amount. */
function isAlike({ status, episodes, request: earlier }: Run, request: RunRequest): boolean {
  const whole = status === 'succeeded' && episodes.errored === 0 && episodes.cancelled === 0
  const limits = earlier.episode_limits
  return (
    whole &&
    earlier.environment === request.environment &&
    (earlier.data ?? builtinData) === (request.data ?? builtinData) &&
    isDeepStrictEqual(earlier.environment_options, request.environment_options) &&
    isDeepStrictEqual(earlier.examples, request.examples) &&
    isDeepStrictEqual(earlier.method, request.method) &&
    isDeepStrictEqual(earlier.model, request.model) &&
    isDeepStrictEqual(earlier.roles, request.roles) &&
    isDeepStrictEqual(earlier.prompts, request.prompts) &&
    (Object.keys(limits).length === 0 || isDeepStrictEqual(limits, request.episode_limits))
  )
}
