import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, summarise } from '../../support/play-once.ts'
import {
  act,
  type ScriptedCall,
  type ScriptedStep,
  scriptedEnvironment,
  scriptedModel,
  scriptedRoles,
} from '../../support/scripted-episode.ts'

export interface Reflected {
  options: PlayOnceOptions
  /** What was asked of the role `reflection`, in its order. */
  asked: ScriptedCall[]
  calls: ScriptedCall[]
  notes: MemoryNote[]
}

/**
 * An episode of three actions, x/x/x, after which the task ends, whose states are graded. With one iteration a search, what
 * was expected of an action is what the state it leads to was graded: Q = V_next, and nothing surprises but the end.
 */
export async function reflectOnce(
  {
    grades,
    steps = {},
    reflects = true,
    says = act('x'),
    ...method
  }: {
    grades: Readonly<Record<string, string>>
    steps?: Readonly<Record<string, ScriptedStep>>
    /** Whether reflections can be read. @default true */
    reflects?: boolean
    /** What the policy answers everywhere. @default the action x */
    says?: string
    [parameter: string]: unknown
  },
  given: Partial<PlayOnceOptions> = {},
): Promise<Reflected> {
  const model = scriptedModel(({ role, way, question, request: { n = 1 } }) => {
    if (role === 'policy') return says
    if (role === 'debate')
      return `Opinion: ${question.includes('was the right one') ? 'For' : 'Against'} ${way}.`
    if (role === 'value') {
      const checks = question.includes('Which checks') ? 'Checks:\n1. It is done.\n' : ''
      return Array.from({ length: n }, () => `${checks}Status code: ${grades[way] ?? 'E'}`)
    }
    if (!reflects) return 'I would rather not.'
    return `Expectation: Expected after ${way}.\nAdvice: Learned after ${way}.`
  })
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: scriptedEnvironment({ 'x/x/x': { done: true }, ...steps }),
    model,
    request: { roles: scriptedRoles },
    method: { id: 'rmcts', iterations: 1, verdicts: 1, rubric: false, ...method },
    ...given,
  }
  const { outcome } = await playOnce(options)
  if (outcome.type !== 'ended') throw new Error(JSON.stringify(outcome))
  const asked = model.calls.filter(({ role }) => role === 'reflection')
  return { options, asked, calls: model.calls, notes: (await summarise(options))?.notes ?? [] }
}
