import { judgeNameSchema, scoreNameSchema } from '../../../shared/core/contracts/judgement.ts'

export type Scale = 'binary' | 'graded'

const outcomes = ['any', 'succeeded', 'failed', 'limited'] as const

export type Outcome = (typeof outcomes)[number]

export interface LabelChoice {
  name: string
  /** The name of the person who judges; empty if the service decides. */
  by: string
  scale: Scale
  outcome: Outcome
  again: boolean
  blind: boolean
  /** The shown episode; null: the next one to judge. */
  episode: string | null
}

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
