import type { z } from 'zod'

interface Choices {
  value?: string
  plan?: string
  verdicts?: number | undefined
  scale?: string | undefined
  reuse?: boolean
  advance_every?: number | undefined
  train_ids?: string[] | undefined
  library?: string | undefined
  memory_from?: string | undefined
  retry?: number
}

/** Refuses what would change nothing beside the other parameters: whoever gives it expects something of it. */
export function refuseIdle({ value: given, issues }: z.core.ParsePayload<Choices>): void {
  const {
    advance_every,
    library,
    memory_from,
    plan,
    retry = 0,
    reuse,
    scale,
    train_ids,
    value,
    verdicts,
  } = given
  const refuse = (name: keyof Choices, why: string) =>
    issues.push({
      code: 'custom',
      input: given,
      path: [name],
      message: `it changes nothing ${why}. Leave it out.`,
    })
  const learns = library === undefined && memory_from === undefined && retry === 0
  if (!learns && train_ids !== undefined) refuse('train_ids', 'where nothing is learned from other tasks')
  const hasVerdicts = value === undefined || value === 'judge' || value === 'debate'
  if (!hasVerdicts && verdicts !== undefined) refuse('verdicts', `with value "${value}", which asks for none`)
  if (!hasVerdicts && scale !== undefined) refuse('scale', `with value "${value}", which has no verdicts`)
  if (plan === 'per-step' && advance_every !== undefined) {
    refuse('advance_every', 'with plan "per-step", whose root moves with every action')
  }
  if (plan === 'whole-task' && reuse === true) {
    refuse('reuse', 'with plan "whole-task", which has one search only')
  }
}
