import type { LibraryScores } from '../../../core/contracts/library.ts'
import type { SearchNode } from '../../search/tree.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import type { LearnScope } from '../method-scope.ts'
import { type Path, playSideBySide, singlePathEffort } from '../play-paths.ts'
import { callAction } from '../programs/call-action.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { agents, agentTemplates } from '../prompts/agents.ts'
import { knowledgePrompts } from '../prompts/knowledge-prompts.ts'
import { showKnowledge } from '../prompts/show-knowledge.ts'
import { knowEarlier, learnFirst } from '../training-parameters.ts'
import { createActions, type LearningVariant } from './create-actions.ts'
import type { DraftAction } from './draft-action.ts'
import {
  type LearnactParameters,
  learnactParameters,
  learningEffort,
  shownActions,
} from './learnact-parameters.ts'
import { everyLearnactPrompt } from './learnact-prompts.ts'
import { Learner } from './learner.ts'
import { reviseActions } from './revise-actions.ts'

export const learnact: Method<LearnactParameters> = {
  id: 'learnact',
  description:
    'One trajectory by an agent with actions of its own, which were written and revised on other tasks before.',
  source:
    'Zhao et al. 2024, Empowering Large Language Model Agents through Action Learning (LearnAct, arXiv 2402.15809)',
  parameters: learnactParameters,
  prompts: [...agentTemplates, knowledgePrompts.actions, ...everyLearnactPrompt],
  branches: true,
  runsPrograms: true,
  horizon: () => maxStepsHorizon,
  derived: ({ library }, environment) => (library === undefined ? usual(environment) : {}),
  extendable: () => ['max_steps'],
  answer: () => 'last',
  system: ({ agent }, ...parts) => renderAgentPrompt(agents[agent], ...parts),
  roles: ({ library }) => (library === undefined ? ['learner'] : []),
  // A failed call may take no environment step, so steps bound nothing.
  effort: (parameters, bounds) => ({
    ...singlePathEffort(parameters, { ...bounds, steps: Number.POSITIVE_INFINITY }),
    notes: shownActions(parameters),
  }),
  learningEffort,
  sharing: ({ library, ...training }) =>
    library === undefined
      ? learnFirst('library', training)
      : knowEarlier({ kind: 'library', param: 'library', id: library }),

  async play(scope, { max_steps = scope.defaultMaxSteps, ...rules }) {
    const path: Path = {
      from: scope.tree.root,
      key: 'sample/0',
      maxSteps: max_steps,
      rules,
      step: (node, proposal) => callAction(scope, node, proposal, scope.actions),
    }
    await playSideBySide(scope, [path])
  },

  async learn(scope, parameters) {
    const given = usual(scope.tree.toTree().environment)
    const { language = 'javascript', score: type = given.score, variant = given.variant } = parameters
    const learner = new Learner(scope, language)
    const [task = ''] = scope.training
    const start = await scope.begin(task, `Begin ${task} to try functions`)
    let sets = await createActions(scope, learner, start, { ...parameters, variant })
    if (sets.length === 0) throw new NothingLearnedError(parameters)
    for (let round = 0; ; round += 1) {
      const trials = await evaluateActions(scope, sets, round, parameters)
      const scores = trials.map((each) => libraryScore(each, type))
      const best = bestLibrary(scores)
      const actions = sets[best] as DraftAction[]
      const failed = firstFailure(trials[best] as ActionTrial[])
      const revisions =
        failed === null || round === parameters.rounds
          ? []
          : await reviseActions(scope, learner, { actions, ...failed }, round + 1, parameters)
      if (revisions.length === 0) {
        for (const action of actions) scope.learn({ ...action, scores: scores[best] ?? null })
        return
      }
      sets = [actions, ...revisions]
    }
  },
}

function firstFailure(trials: readonly ActionTrial[]) {
  const { failure: call = null, start } = trials.find(({ failure }) => failure !== null) ?? {}
  return call === null || start === undefined ? null : { call, start }
}

/** The defaults of LearnAct's scripts for ALFWorld and for robot planning. */
function usual(environment: string): { score: LibraryScoreType; variant: LearningVariant } {
  return environment.startsWith('alfworld')
    ? { score: 'success_calls', variant: 'decompose' }
    : { score: 'success_accuracy_calls', variant: 'free' }
}

/** No candidate produced runnable functions, so there is nothing to play with. */
export class NothingLearnedError extends Error {
  /** Stored in results, so the name never changes. */
  override readonly name = 'NothingLearned'

  constructor({ candidates, tries }: Pick<LearnactParameters, 'candidates' | 'tries'>) {
    super(
      `None of ${candidates} candidates came to functions that can be run and are described, in ${tries} tries each. Choose another model in roles.learner, or raise its max_tokens.`,
    )
  }
}

interface ActionTrial extends LibraryTrial {
  start: SearchNode
  failure: SearchNode | null
}

async function evaluateActions(
  scope: LearnScope,
  sets: readonly DraftAction[][],
  round: number,
  parameters: LearnactParameters,
): Promise<ActionTrial[][]> {
  const { agent, train_steps, ...rules } = parameters
  const { prompts, training } = scope
  const paths: Path[] = []
  for (const [candidate, actions] of sets.entries()) {
    const knowledge = showKnowledge(prompts, { notes: [], actions })
    for (const task of training) {
      const system = renderAgentPrompt(agents[agent], prompts, scope.describe(task).guide, knowledge)
      const from = await scope.begin(task, `Begin ${task} with candidate ${candidate} of round ${round}`)
      const step: Path['step'] = (node, proposal) => callAction(scope, node, proposal, actions)
      paths.push({ from, key: 'sample/0', system, maxSteps: train_steps, rules, step })
    }
  }
  const ends = await playSideBySide(scope, paths)
  const played = paths.map(({ from }, place) => toTrial(scope, from, ends[place] as SearchNode))
  return sets.map((_, candidate) =>
    played.slice(candidate * training.length, (candidate + 1) * training.length),
  )
}

function toTrial({ tree }: LearnScope, start: SearchNode, end: SearchNode): ActionTrial {
  const steps = tree.path(end).slice(start.depth + 1)
  const calls = steps.filter(({ primitives }) => primitives !== undefined)
  return {
    success: end.reward >= tree.successThreshold ? 1 : 0,
    steps: steps.length,
    calls: calls.length,
    succeeded: calls.filter(({ valid }) => valid !== false).length,
    start,
    failure: calls.find(({ valid }) => valid === false) ?? null,
  }
}

interface LibraryTrial {
  success: number
  steps: number
  calls: number
  succeeded: number
}

/**
 * The score that chooses a set of actions: the sum of success and step accuracy (the paper), of all three (the code
 * in robot planning), or of success and call ratio (the code in household games).
 */
type LibraryScoreType = 'success_accuracy' | 'success_accuracy_calls' | 'success_calls'

/**
 * Scores a set of learned actions over its training tasks. Success is the mean over tasks. Step accuracy = Σ
 * succeeded / Σ calls. Call ratio = Σ succeeded / Σ steps. A ratio with denominator 0 is 0.
 *
 * @param trials - one for each training task, at least one
 * @see Zhao et al. 2024, LearnAct (arXiv 2402.15809), and its code's `score_type`
 */
export function libraryScore(trials: readonly LibraryTrial[], type: LibraryScoreType): LibraryScores {
  if (trials.length === 0) throw new RangeError('A set of actions is scored by what it did; it did nothing.')
  const sum = (pick: (trial: LibraryTrial) => number) =>
    trials.reduce((total, trial) => total + pick(trial), 0)
  const succeeded = sum((trial) => trial.succeeded)
  const success = sum((trial) => trial.success) / trials.length
  const step_accuracy = ratio(
    succeeded,
    sum((trial) => trial.calls),
  )
  const call_ratio = ratio(
    succeeded,
    sum((trial) => trial.steps),
  )
  const score = {
    success_accuracy: success + step_accuracy,
    success_accuracy_calls: success + step_accuracy + call_ratio,
    success_calls: success + call_ratio,
  }[type]
  return { score, success, step_accuracy, call_ratio }
}

export function bestLibrary(scores: readonly { score: number }[]): number {
  if (scores.length === 0) throw new RangeError('There is no set of actions to choose from.')
  const highest = Math.max(...scores.map(({ score }) => score))
  return scores.findIndex(({ score }) => score === highest)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
