import { mostTries } from '../search/read-answers.ts'
import { debatePrompts, judgePrompts } from '../search/values/value-prompts.ts'
import { addCalls, type CallsByTurns, type RoleEffort, scaleCalls } from './effort.ts'

export interface ValueEffortParameters {
  value: string
  verdicts?: number | undefined
  rubric: boolean
}

export interface ValuedStates {
  expected: CallsByTurns
  at_most: CallsByTurns
}

export function valueEffort(
  { value, verdicts, rubric }: ValueEffortParameters,
  states: ValuedStates,
): RoleEffort[] {
  const { introduction: judging, question, rubric: checks } = judgePrompts
  if (value === 'judge') {
    const judged = { ...askedFor(states), role: 'value' as const, answers: verdicts ?? 20 }
    const written = { ...askedFor({ expected: [1], at_most: [1] }), role: 'value' as const, answers: 1 }
    return [
      { ...judged, prompts: [judging, question] },
      ...(rubric ? [{ ...written, prompts: [judging, checks] }] : []),
    ]
  }
  if (value === 'debate') {
    const { introduction, oppose, support, verdict } = debatePrompts
    const argued = { ...askedFor(states), role: 'debate' as const, answers: 1 }
    const { at_most, expected } = askedFor(states)
    return [
      { ...argued, prompts: [introduction, support] },
      { ...argued, prompts: [introduction, oppose] },
      {
        role: 'value',
        expected: addCalls(expected, expected),
        at_most: addCalls(at_most, at_most),
        answers: verdicts ?? 3,
        prompts: [introduction, verdict],
      },
    ]
  }
  if (value === 'single-debate') {
    const { alone, introduction } = debatePrompts
    return [{ ...askedFor(states), role: 'value', answers: verdicts ?? 20, prompts: [introduction, alone] }]
  }
  return value === 'endpoint' ? [{ ...states, role: 'value', answers: 0 }] : []
}

export function askedFor({ expected, at_most }: ValuedStates): ValuedStates {
  return { expected, at_most: scaleCalls(at_most, mostTries) }
}

export function valuedSideBySide(value: string): number {
  if (value === 'debate') return 2
  return value === 'judge' || value === 'single-debate' || value === 'endpoint' ? 1 : 0
}
