import { mostTries } from '../../search/read-answers.ts'
import {
  addCalls,
  type CallsByTurns,
  callsAt,
  countCalls,
  type Effort,
  type Likely,
  type RoleEffort,
  scaleCalls,
} from '../effort.ts'
import { askedFor } from '../value-effort.ts'
import { reflectionPrompts } from './reflection-prompts.ts'

export interface ReflectionEffortParameters {
  value: string
  rubric: boolean
  reflect_policy: boolean
  policy_notes: number
  policy_recall: number
  reflect_value: boolean
  value_notes: number
  value_recall: number
}

/**
 * The search with advice from earlier tasks. At its end, two calls for each reflection of the policy and one for each
 * of the value function. If notes are found by vectors, each look-up and each note takes one.
 */
export function reflectionEffort(search: Effort, parameters: ReflectionEffortParameters): Effort {
  const { policy_recall, reflect_policy, reflect_value, value, value_recall } = parameters
  // Only opinions of a judge or a debate can be reflected on.
  const isAccounted = reflect_value && (value === 'judge' || value === 'debate')
  const policyNotes = reflect_policy ? parameters.policy_notes : 0
  const valueNotes = isAccounted ? parameters.value_notes : 0
  const { contrast, debate, expectation, introduction, rubric } = reflectionPrompts
  const longest = search.at_most.length
  const atEnd = (
    count: number,
    last: typeof contrast | typeof debate | typeof expectation | typeof rubric,
  ) => ({
    role: 'reflection' as const,
    ...askedFor({ expected: callsAt(Math.ceil(longest / 2), count / 2), at_most: callsAt(longest, count) }),
    answers: 1,
    prompts: [introduction, last],
  })
  const others: RoleEffort[] = (search.others ?? []).map((calls) => ({
    ...calls,
    notes: recalled(isAccounted ? value_recall : 0),
  }))
  return {
    ...search,
    notes: recalled(reflect_policy ? policy_recall : 0),
    others: [
      ...others,
      atEnd(policyNotes, expectation),
      atEnd(policyNotes, contrast),
      atEnd(valueNotes, value === 'debate' ? debate : rubric),
      {
        role: 'embedding' as const,
        expected: looksUp('expected', search, parameters, callsAt(0, (policyNotes + valueNotes) / 2)),
        at_most: looksUp('at_most', search, parameters, callsAt(0, policyNotes + valueNotes)),
        answers: 0,
      },
    ].filter(({ at_most }) => countCalls(at_most) > 0),
  }
}

function recalled(most: number): Likely {
  return { expected: most / 2, at_most: most }
}

function looksUp(
  which: 'expected' | 'at_most',
  search: Effort,
  { reflect_policy, reflect_value, rubric, value }: ReflectionEffortParameters,
  notes: CallsByTurns,
): number[] {
  const forPolicy = reflect_policy ? search[which] : []
  const [valued] = search.others ?? []
  if (!reflect_value || !valued || (value !== 'judge' && value !== 'debate'))
    return addCalls(forPolicy, notes)
  const states = which === 'expected' ? valued.expected : scaleCalls(valued.at_most, 1 / mostTries)
  return addCalls(addCalls(forPolicy, value === 'judge' && rubric ? callsAt(0, 1) : states), notes)
}
