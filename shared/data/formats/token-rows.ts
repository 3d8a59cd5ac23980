import { z } from 'zod'
import type { RowOf } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ShownPart, ShownTurn } from '../../core/contracts/shown-row.ts'
import { UnfitRowError } from './trainer-format.ts'

export type Rollout = RowOf<'rollout'>

/**
 * Log-probabilities for trainers whose lists hold numbers alone: 0 for tokens that are masked.
 *
 * @throws UnfitRowError if one of the agent's is unknown
 */
export function knownLogprobs({ completion_mask: mask, logprobs }: Rollout): number[] {
  return logprobs.map((logprob, place) => {
    if (mask[place] === 0) return 0
    if (logprob === null) throw new UnfitRowError('the log-probability of a token is unknown')
    return logprob
  })
}

/** @throws UnfitRowError if the row was built without advantages */
export function knownAdvantages({ advantages }: Rollout): number[] {
  if (advantages === null) throw new UnfitRowError('it has no advantages: build with an "advantage" but none')
  return advantages
}

/** @throws UnfitRowError for a part of a branch: the trainer would take its reward for that of another sample */
export function checkWholeBranch({ parts }: Rollout, trainer: string): void {
  if (parts === 1) return
  throw new UnfitRowError(
    `its branch has several parts, each of which ${trainer} counts as a sample of the group: play with "prompting": "tokens", and with prompts long enough for all turns`,
  )
}

/** The names of TRL's rollout hook (TRL 1.16.0, `GRPOTrainer(rollout_func=…)`). */
export function rolloutHook(row: Rollout): JsonObject {
  checkWholeBranch(row, 'TRL')
  return {
    group: row.group,
    prompt_ids: row.prompt_ids,
    completion_ids: row.completion_ids,
    env_mask: row.completion_mask,
    logprobs: knownLogprobs(row),
    reward: row.reward,
    advantages: row.advantages,
  }
}

const ids = z.array(z.int())
const shownSchema = z.looseObject({
  prompt_ids: ids.optional(),
  prompt_token_ids: ids.optional(),
  completion_ids: ids.optional(),
  response_ids: ids.optional(),
  token_ids: ids.optional(),
  completion_mask: ids.optional(),
  env_mask: ids.optional(),
  response_mask: ids.optional(),
  loss_mask: ids.optional(),
  mask: z.array(z.boolean()).optional(),
  segments: z.array(z.looseObject({ ids, learned: z.boolean() })).optional(),
})

/** The runs of a row's tokens: of the prompt, then of the agent and the environment in turn. */
export function showTokens(data: object): ShownPart[] {
  const row = shownSchema.parse(data)
  const prompt = row.prompt_ids ?? row.prompt_token_ids ?? []
  const completion = row.completion_ids ?? row.response_ids ?? row.token_ids ?? []
  const given = row.completion_mask ?? row.env_mask ?? row.response_mask ?? row.loss_mask ?? row.mask ?? []
  const runs =
    row.segments?.map(({ ids, learned }) => ({ ids, learned })) ?? runsOf(completion, given.map(Boolean))
  const parts: ShownPart[] = prompt.length === 0 ? [] : [{ name: 'prompt', turns: [turnOf(prompt, false)] }]
  return [...parts, { name: 'completion', turns: runs.map((run) => turnOf(run.ids, run.learned)) }]
}

function runsOf(tokens: readonly number[], mask: readonly boolean[]): { ids: number[]; learned: boolean }[] {
  const runs: { ids: number[]; learned: boolean }[] = []
  for (const [place, id] of tokens.entries()) {
    const learned = mask[place] ?? false
    const last = runs.at(-1)
    if (last?.learned === learned) last.ids.push(id)
    else runs.push({ ids: [id], learned })
  }
  return runs
}

function turnOf(tokens: readonly number[], learned: boolean): ShownTurn {
  return { role: learned ? 'assistant' : 'text', content: tokens.join(' '), learned }
}
