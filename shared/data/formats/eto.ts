import { z } from 'zod'
import { BadRowError, checkShape } from './bad-row-error.ts'
import { rawTurnsSchema } from './chat-messages.ts'
import { nothingSaid, pairMethod, type ReadTrajectory, type Turn } from './read-trajectory.ts'
import { sharegptTurns } from './sharegpt.ts'
import { etoHead } from './task-name.ts'
import type { ReadableFormat } from './trainer-format.ts'

const rewardSchema = z.union([z.number(), z.boolean()])

const rowSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  conversations: rawTurnsSchema,
  reward: rewardSchema.nullish(),
  game_file: z.string().optional(),
  meta: z.looseObject({ reward: rewardSchema.nullable(), error: z.string().nullish() }).optional(),
})

type Row = z.infer<typeof rowSchema>

const pairSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  prompt: rawTurnsSchema,
  chosen: rawTurnsSchema,
  rejected: rawTurnsSchema,
})

/**
 * ETO's expert trajectories, a list of `{id, conversations, reward?}` as FastChat trains on, and its rollouts, one
 * file `{meta, conversations}` each, named for the task. Also its pairs for DPO, `{id, prompt, chosen, rejected}`.
 *
 * @see Song et al. 2024, Trial and Error (arXiv 2403.02502)
 */
export const eto: ReadableFormat = {
  id: 'eto',
  reads:
    'ETO and FastChat: `{id, conversations, reward?}`, ETO’s rollouts `{meta, conversations}`, and its pairs `{id, prompt, chosen, rejected}`',
  recognises: (row) =>
    ('conversations' in row && ('id' in row || 'meta' in row || 'game_file' in row)) || isEtoPair(row),
  read(row, place) {
    if (isEtoPair(row)) return readPair(row)
    const read = checkShape(rowSchema, row)
    const turns = sharegptTurns(read.conversations)
    const id = taskOf(read) ?? nameOf(place.wholeFile)
    return { ...nothingSaid, task: id, ...scoreOf(read, turns, place.environment), body: { turns } }
  },
}

// Pairs of other formats have roles in place of `from`.
export function isEtoPair({ prompt, chosen, rejected }: Record<string, unknown>): boolean {
  const sides = [prompt, chosen, rejected]
  return sides.every(
    (turns) =>
      Array.isArray(turns) && turns.length > 0 && turns.every((turn) => turn !== null && Object(turn).from),
  )
}

function readPair(row: Record<string, unknown>): ReadTrajectory {
  const { id, ...sides } = checkShape(pairSchema, row)
  const [prompt, chosen, rejected] = [sides.prompt, sides.chosen, sides.rejected].map((turns) =>
    sharegptTurns(turns),
  )
  return {
    ...nothingSaid,
    task: id === undefined ? null : String(id),
    method: pairMethod,
    body: { prompt: prompt as Turn[], chosen: chosen as Turn[], rejected: rejected as Turn[] },
  }
}

/** ETO keeps the path of a household's game in a rollout's `meta.error`. */
function taskOf({ game_file, meta, id }: Row): string | null {
  if (game_file !== undefined) return game_file
  if (meta?.error?.endsWith('.tw-pddl')) return meta.error
  return id === undefined ? null : String(id)
}

function nameOf(file: string | null): string | null {
  const name = file?.split('/').at(-1)?.split('.')[0]
  return name === undefined || name === '' ? null : name
}

function scoreOf(
  { meta, reward = null }: Row,
  turns: readonly Turn[],
  environment: string | null,
): Pick<ReadTrajectory, 'reward' | 'headLength'> {
  if (meta === undefined) return { reward: reward === null ? null : Number(reward) }
  if (meta.reward === null) {
    throw new BadRowError(
      'meta.reward',
      'is null: the episode broke off, which says nothing about how it would have ended',
    )
  }
  const length = environment === null ? undefined : etoHead(environment)
  const isShown = length !== undefined && turns[length + 1]?.role === 'assistant' && turns.length > length
  return { reward: Number(meta.reward), ...(isShown && { headLength: length + 1 }) }
}
