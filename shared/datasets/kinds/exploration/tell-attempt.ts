import type { Tree } from '../../../contracts/tree.ts'
import { observationTurn } from '../../../search/conversation-layout.ts'
import { renderRestoreAction } from '../../../search/restore-action.ts'
import type { Attempt } from '../../attempt.ts'
import type { LeftOutReason } from '../../left-out-reasons.ts'
import { textOf } from '../../text-of.ts'
import { notGoodEnough } from '../not-good-enough.ts'
import type { ExplorationParameters } from './exploration-parameters.ts'
import { readSearch } from './read-search.ts'
import { nearestThought, thoughtsOf, Verdicts } from './read-verdicts.ts'
import { type Speech, valueInWords } from './speak-turn.ts'
import { type Turn, tellSearch } from './tell-search.ts'

/** A turn of a told episode, and what can be said in it. */
export interface ToldTurn extends Omit<Turn, 'belief'>, Omit<Speech, 'undone'> {
  /** What the environment showed in the state that the turn is taken from. */
  shown: string
  /** The reasons that were given for the value of that state; `stock` is one of them where there are any. */
  thoughts: readonly string[]
}

export interface ToldAttempt {
  tree: Tree
  turns: readonly ToldTurn[]
}

/** The search of an attempt as one episode, or why it cannot be told. */
export async function tellAttempt(
  attempt: Attempt,
  parameters: ExplorationParameters,
): Promise<ToldAttempt | LeftOutReason> {
  const reason = notGoodEnough(attempt, parameters.min_reward)
  if (reason !== null) return reason
  const [tree, journal] = [await attempt.tree(), await attempt.journal()]
  const plans = readSearch(journal, tree)
  if (plans === null) return 'no_search'
  const turns = tellSearch(tree, plans, parameters.search)
  if (turns.length === 0) return 'no_model_message'
  // An observation and an action each: the paper counts both.
  if (2 * turns.length > parameters.max_turns) return 'too_long'
  if (parameters.examples === 'backtracking' && turns.every(({ undone }) => undone === 0)) return 'no_detour'
  const verdicts = new Verdicts(journal)
  const told: ToldTurn[] = []
  for (const turn of turns) {
    const each = tellTurn(tree, turn, verdicts, parameters)
    if (typeof each === 'string') return each
    told.push(each)
  }
  return { tree, turns: told }
}

function tellTurn(
  tree: Tree,
  { from, node, undone, belief }: Turn,
  verdicts: Verdicts,
  { restore_action, values }: ExplorationParameters,
): ToldTurn | LeftOutReason {
  const [state, next] = [tree.nodes[from], tree.nodes[node]]
  const text = state === undefined ? null : textOf(state.observation)
  if (text === null) return 'not_text'
  // The root's text begins the conversation bare; who goes back to it is shown it as any other observation.
  const shown = state?.parent === null ? observationTurn(tree, text) : text
  const message = undone === 0 ? (next?.message ?? null) : null
  if (undone === 0 && message === null) return 'no_model_message'
  const own = verdicts.of(from)
  // Where a judge gave reasons, a bare number would be said in another voice.
  const number = belief !== null && values === 'words' && !verdicts.some ? valueInWords(belief) : null
  return {
    from,
    node,
    undone,
    shown,
    message,
    thoughts: thoughtsOf(own),
    stock: belief === null ? null : (nearestThought(own, belief) ?? number),
    restoreAction: renderRestoreAction(restore_action, { steps: undone, depth: depthOf(tree, node) }),
  }
}

function depthOf({ nodes }: Tree, node: number): number {
  let depth = 0
  for (let at = nodes[node]?.parent; at !== null && at !== undefined; at = nodes[at]?.parent) depth += 1
  return depth
}
