import { judgeNameSchema, scoreNameSchema } from '../../../shared/contracts/judgement.ts'

/** How values are given: `binary` as good or bad, `graded` as 1 to 5. */
export type Scale = 'binary' | 'graded'

const outcomes = ['any', 'succeeded', 'failed', 'limited'] as const

/** How an episode ended that is to be judged. */
export type Outcome = (typeof outcomes)[number]

/** What is judged, and how; it is in the page's URL. */
export interface LabelChoice {
  /** Of the score; empty where none is chosen yet. */
  name: string
  /** The person who judges; empty where the service is to say. */
  by: string
  scale: Scale
  outcome: Outcome
  /** Whether episodes that are judged already come too. */
  again: boolean
  /** Whether the environment's reward stays hidden until an episode is judged. */
  blind: boolean
  /** The episode that is shown; null: the next one to judge. */
  episode: string | null
}

/** Reads an address; what it does not say, or says wrongly, is as by default. */
export function readLabelChoice(address: URLSearchParams): LabelChoice {
  return {
    name: address.get('name') ?? '',
    by: address.get('by') ?? '',
    scale: address.get('scale') === 'graded' ? 'graded' : 'binary',
    outcome: outcomes.find((outcome) => outcome === address.get('outcome')) ?? 'any',
    again: address.has('again'),
    blind: address.has('blind'),
    episode: address.get('episode'),
  }
}

/** The query of the page's address; what is as by default is left out. */
export function writeLabelChoice({ again, blind, by, episode, name, outcome, scale }: LabelChoice): string {
  const parts = {
    name: name || null,
    by: by || null,
    scale: scale === 'binary' ? null : scale,
    outcome: outcome === 'any' ? null : outcome,
    again: again ? '1' : null,
    blind: blind ? '1' : null,
    episode,
  }
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== null)
  return new URLSearchParams(given).toString()
}

/** What is wrong with the name of a score and with that of a person; null where nothing is. */
export function faultsOf({ name, by }: Pick<LabelChoice, 'name' | 'by'>): {
  name: string | null
  by: string | null
} {
  const faultOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
    result.error?.issues[0]?.message ?? null
  return {
    name: faultOf(scoreNameSchema.safeParse(name)),
    by: by === '' ? null : faultOf(judgeNameSchema.safeParse(by)),
  }
}
