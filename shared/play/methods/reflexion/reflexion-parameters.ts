import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { agentParameters } from '../agent-parameters.ts'
import {
  callsAt,
  type Effort,
  type EffortBounds,
  type Likely,
  type RoleEffort,
  scaleCalls,
} from '../effort.ts'
import { singlePathEffort } from '../play-paths.ts'
import { agentSchema } from '../prompts/agents.ts'
import { maxStepsParameter, stopParameters } from '../search-parameters.ts'
import { countTraining, trainingParameters } from '../training-parameters.ts'
import { askedFor } from '../value-effort.ts'
import { reflexionPrompts } from './reflexion-prompts.ts'

export const reflexionParameters = z
  .strictObject({
    agent: agentSchema.default('react'),
    max_steps: maxStepsParameter,
    notes: z.int().min(1).max(100).default(2).describe('Maximum number of notes to write and to show.'),
    ...trainingParameters,
    memory_from: z
      .string()
      .optional()
      .describe('Memory of an earlier run: the method uses its notes and writes none.'),
    retry: z
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe(
        'Number of retries of a failed task, with notes on its own failures; the environment’s verdict decides on failure. Above 0, the method learns nothing from other tasks.',
      ),
    ...agentParameters,
    ...stopParameters,
  })
  .check(refuseIdle)

export type ReflexionParameters = z.infer<typeof reflexionParameters>

export function reflexionEffort(parameters: ReflexionParameters, bounds: EffortBounds): Effort {
  const { retry } = parameters
  const one = { ...singlePathEffort(parameters, bounds), notes: shownNotes(parameters) }
  if (retry === 0) return one
  const paths = {
    expected: scaleCalls(one.expected, 1 + retry / 2),
    at_most: scaleCalls(one.at_most, 1 + retry),
  }
  const reason = 'half of the tries, with trajectories half as long as they can get'
  const { at_most } = one
  return { ...one, ...paths, others: notesEffort(parameters, at_most.length, retry, false), reason }
}

export function reflexionLearningEffort(parameters: ReflexionParameters): Effort {
  const { notes, train_steps } = parameters
  const tasks = countTraining(parameters)
  const at_most = Array.from({ length: train_steps }, () => notes * tasks)
  return {
    expected: scaleCalls(at_most, 3 / 4),
    at_most,
    notes: shownNotes(parameters),
    others: notesEffort(parameters, train_steps, notes, true),
    side_by_side: tasks,
    reason: 'as many notes as there can be, and trajectories three quarters as long as they can get',
  }
}

function shownNotes({ notes, retry }: ReflexionParameters): Likely {
  return { expected: notes / 2, at_most: retry > 0 ? 2 * notes : notes }
}

function notesEffort(
  parameters: ReflexionParameters,
  longest: number,
  count: number,
  areKept: boolean,
): RoleEffort[] {
  const { introduction, note } = reflexionPrompts
  const expected = callsAt(Math.ceil(longest / 2), parameters.retry > 0 ? count / 2 : count)
  const written: RoleEffort = {
    role: 'reflection',
    ...askedFor({ expected, at_most: callsAt(longest, count) }),
    answers: 1,
    prompts: [introduction, note],
    notes: shownNotes(parameters),
  }
  const embedded = { role: 'embedding' as const, expected: [count], at_most: [count], answers: 0 }
  return areKept ? [written, embedded] : [written]
}
