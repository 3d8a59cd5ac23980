import type { LearnedAction } from '../../../core/contracts/library.ts'
import { startedCall } from '../../sandbox/started-call.ts'
import { toProgram } from '../../sandbox/to-program.ts'
import type { Proposal } from '../../search/search-scope.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { Fork } from '../fork.ts'
import { libraryLanguage } from '../learnact/draft-action.ts'
import type { MethodScope } from '../method-scope.ts'
import type { StateResult } from '../node-states.ts'
import { type ProgramEnding, programSeed, runProgram } from './run-program.ts'

/**
 * Upper bound of actions in a call. A call is one step of a task: one with more actions than any trajectory has lost
 * its way.
 */
const limits = { mostActs: 50 }

/**
 * Takes an action that may be a call of a learned function. A call is one step of the agent, however many environment
 * steps it takes. If it fails, the state stays unchanged; an unreadable call fails as well. Anything else is a plain step,
 * including a call of an unknown function: the environment complains.
 *
 * @see Zhao et al. 2024, LearnAct (arXiv 2402.15809); its code runs calls in the live environment, and rolls nothing
 * back
 */
export async function callAction(
  scope: MethodScope,
  node: SearchNode,
  proposal: Proposal,
  actions: readonly Pick<LearnedAction, 'name' | 'code' | 'language'>[],
): Promise<SearchNode> {
  const names = actions.map(({ name }) => name)
  const language = libraryLanguage(actions)
  const call = names.length === 0 ? null : await scope.sandbox.readCall(proposal.action, names, language)
  if (call === null && startedCall(proposal.action, names) === null) return scope.step(node, proposal)
  const key = `${proposal.effect}/call`
  const fork = scope.fork(node, key)
  const before = fork.stateResult
  const seed = programSeed(scope, key)
  const problem =
    call === null
      ? 'a call stands alone, and its arguments are texts in quotes, numbers, or lists of these.'
      : problemOf(
          await runProgram(
            scope,
            fork,
            toProgram({ functions: actions, statement: call.code, language, seed, limits }),
          ),
          fork,
          before,
        )
  return scope.land(
    node,
    proposal,
    problem === null
      ? {
          fork,
          keep: true,
          valid: true,
          observation: fork.steps.map(({ observation }) => observation).join('\n'),
        }
      : { fork, keep: false, valid: false, observation: `The call failed and changed nothing: ${problem}` },
  )
}

/**
 * The reason why a call failed: it threw or was stopped, took no action, or, as in LearnAct's code, changed nothing.
 * Null if it succeeded.
 */
function problemOf(ending: ProgramEnding, { steps, stateResult }: Fork, before: StateResult): string | null {
  if (ending.type === 'failed') return ending.message
  if (steps.length === 0) return 'it did nothing.'
  const isSame =
    stateResult.observation === before.observation && stateResult.state_hash === before.state_hash
  return isSame && !stateResult.done ? 'it does not change any state.' : null
}
