import type { SearchNode } from '../../search/tree.ts'
import type { LearnScope } from '../method-scope.ts'
import { type Path, playSideBySide } from '../play-paths.ts'
import { callAction } from '../programs/call-action.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { agents } from '../prompts/agents.ts'
import { showKnowledge } from '../prompts/show-knowledge.ts'
import type { DraftAction } from './draft-action.ts'
import type { LearnactParameters } from './learnact-parameters.ts'
import type { LibraryTrial } from './library-score.ts'

export interface ActionTrial extends LibraryTrial {
  start: SearchNode
  failure: SearchNode | null
}

/**
 * Plays every training task with every set of actions, concurrently.
 *
 * @returns by set, by task
 */
export async function evaluateActions(
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
