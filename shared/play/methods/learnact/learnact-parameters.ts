import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { programLanguageSchema } from '../../../core/contracts/program-language.ts'
import { definePrompt, type PromptTemplate } from '../../search/prompt-template.ts'
import { mostTries } from '../../search/read-answers.ts'
import { callsAt, countCalls, type Effort, type Likely, type RoleEffort, scaleCalls } from '../effort.ts'
import { agentSchema } from '../prompts/agents.ts'
import { programTokens } from '../prompts/program-prompts.ts'
import { maxStepsParameter, stopParameters } from '../search-parameters.ts'
import { countTraining, trainingParameters } from '../training-parameters.ts'
import { learnactPrompts } from './learnact-prompts.ts'
import { longestDescription } from './learner.ts'
import { mostFunctions } from './try-functions.ts'

export const learnactParameters = z
  .strictObject({
    agent: agentSchema.default('act'),
    max_steps: maxStepsParameter,
    ...trainingParameters,
    candidates: z
      .int()
      .min(1)
      .max(32)
      .default(4)
      .describe('Number of sets of actions to write, and of revisions of the best one in each round.'),
    rounds: z.int().min(0).max(20).default(2).describe('Maximum number of rounds that revise the best set.'),
    tries: z
      .int()
      .min(1)
      .max(20)
      .default(4)
      .describe(
        'Maximum number of attempts to write functions that run, each with the error of the previous one.',
      ),
    variant: z
      .enum(['structured', 'free', 'decompose'])
      .optional()
      .describe(
        'Form of the request for functions: general ones for the steps of the task (structured), for its steps and other uses (free), or for proposed steps (decompose). Default, as in LearnAct’s scripts: decompose in household games and free elsewhere.',
      ),
    score: z
      .enum(['success_accuracy', 'success_accuracy_calls', 'success_calls'])
      .optional()
      .describe(
        'Criterion for choosing a set: the sum of success on the training tasks, the share of calls that end well, and calls that end well per step. Default, as in LearnAct’s code: success_calls in household games and all three elsewhere; success_accuracy is the paper’s.',
      ),
    language: programLanguageSchema
      .optional()
      .describe(
        'Language of learned functions: JavaScript by default, or Python as in LearnAct, which each worker needs installed. Actions of a library keep theirs.',
      ),
    library: z
      .string()
      .optional()
      .describe('Library of an earlier run: the method uses its actions and learns none.'),
    ...stopParameters,
  })
  .check(refuseIdle)

export type LearnactParameters = z.infer<typeof learnactParameters>

const usualFunctions = 3

const answered = definePrompt({ id: 'answered', purpose: 'An earlier answer.', text: '{{answer}}' })

/**
 * The action descriptions in an agent's prompt, in answers. Several descriptions, each cut to a limit, make one
 * answer. A worked example and the notes are added.
 */
export function shownActions({ rounds }: Pick<LearnactParameters, 'rounds'>): Likely {
  const descriptions = Math.ceil(((rounds + 1) * mostFunctions * longestDescription) / programTokens)
  return { expected: 1, at_most: descriptions + 1 + rounds }
}

export function learningEffort(parameters: LearnactParameters): Effort {
  const { candidates, rounds, train_steps, tries } = parameters
  const tasks = countTraining(parameters)
  const sets = candidates + rounds * (candidates + 1)
  const played = Array.from({ length: train_steps }, () => sets * tasks)
  const written = candidates * (rounds + 1)
  const { again, create, describe, free, introduction, revise, usage } = learnactPrompts
  const conversation = Array.from({ length: tries - 1 }, () => [answered, again]).flat()
  const ask = ({ expected, at_most }: Likely, prompts: readonly PromptTemplate[], turns = 0): RoleEffort => ({
    role: 'learner',
    expected: callsAt(0, expected),
    at_most: callsAt(turns, at_most),
    answers: 1,
    answer_tokens: programTokens,
    prompts: [introduction, ...prompts],
  })
  const revisions = rounds * candidates
  return {
    expected: scaleCalls(played, 3 / 4),
    at_most: played,
    notes: shownActions(parameters),
    others: [
      ask({ expected: candidates, at_most: candidates * tries }, [create, free, ...conversation]),
      ask(
        { expected: revisions, at_most: revisions * (mostTries + tries) },
        [revise, ...conversation],
        train_steps,
      ),
      ask({ expected: written, at_most: written * mostTries }, [usage]),
      ask({ expected: written * usualFunctions, at_most: written * mostFunctions * mostTries }, [describe]),
    ].filter(({ at_most }) => countCalls(at_most) > 0),
    side_by_side: Math.max((candidates + 1) * tasks, candidates * (1 + mostFunctions)),
    reason: 'every round, with training trajectories three quarters as long as they can get',
  }
}
