import type { z } from 'zod'

export interface DecidingParameters {
  value?: string
  plan?: string
  verdicts?: number | undefined
  scale?: string | undefined
  reuse?: boolean
  advance_every?: number | undefined
  advance_counter?: string | undefined
  train_ids?: string[] | undefined
  library?: string | undefined
  memory_from?: string | undefined
  retry?: number
}

interface Idle {
  name: keyof DecidingParameters
  why: string
}

export function idleParameters({
  advance_every,
  value,
  plan,
  library,
  memory_from,
  retry = 0,
}: DecidingParameters): Idle[] {
  const learns = library === undefined && memory_from === undefined && retry === 0
  const hasVerdicts = value === undefined || ['judge', 'debate', 'single-debate'].includes(value)
  return [
    learns ? [] : [{ name: 'train_ids' as const, why: 'where nothing is learned from other tasks' }],
    hasVerdicts
      ? []
      : [
          { name: 'verdicts' as const, why: `with value "${value}", which asks for none` },
          { name: 'scale' as const, why: `with value "${value}", which has no verdicts` },
        ],
    plan === 'per-step'
      ? [{ name: 'advance_every' as const, why: 'with plan "per-step", whose root moves with every action' }]
      : [],
    advance_every === undefined
      ? [{ name: 'advance_counter' as const, why: 'without advance_every, whose count it is' }]
      : [],
    plan === 'whole-task'
      ? [{ name: 'reuse' as const, why: 'with plan "whole-task", which has one search only' }]
      : [],
  ].flat()
}

export function refuseIdle({ value: given, issues }: z.core.ParsePayload<DecidingParameters>): void {
  for (const { name, why } of idleParameters(given)) {
    // `false` is the default.
    if (given[name] === undefined || given[name] === false) continue
    issues.push({
      code: 'custom',
      input: given,
      path: [name],
      message: `it changes nothing ${why}. Leave it out.`,
    })
  }
}
