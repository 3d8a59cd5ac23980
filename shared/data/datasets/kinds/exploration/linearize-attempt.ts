import type { LeftOutReason } from '../../../../core/contracts/left-out-reasons.ts'
import type { Message } from '../../../../core/contracts/message.ts'
import type { Tree } from '../../../../core/contracts/tree.ts'
import { observationTurn } from '../../../../play/search/conversation.ts'
import { renderRestoreAction } from '../../../../play/search/restore-action.ts'
import type { Attempt } from '../../attempt.ts'
import { type SeenPictures, seenOf } from '../../seen-pictures.ts'
import { notGoodEnough } from '../not-good-enough.ts'
import { answerThoughts } from '../render-path.ts'
import type { ExplorationParameters } from './exploration-parameters.ts'
import { type TurnContent, valueInWords } from './format-turn.ts'
import { linearizeSearch, type SearchMove } from './linearize-search.ts'
import { readSearch } from './read-search.ts'
import { nearestThought, thoughtsOf, Verdicts } from './read-verdicts.ts'

export interface SearchTurn extends Omit<SearchMove, 'belief'>, Omit<TurnContent, 'undone'> {
  shown: string
  pictures?: Message['pictures']
  reasoning?: string
  thoughts: readonly string[]
}

export interface LinearizedSearch {
  tree: Tree
  turns: readonly SearchTurn[]
}

export async function linearizeAttempt(
  attempt: Attempt,
  parameters: ExplorationParameters,
  seen: SeenPictures,
): Promise<LinearizedSearch | LeftOutReason> {
  const reason = notGoodEnough(attempt, parameters.min_reward)
  if (reason !== null) return reason
  const [tree, journal] = [await attempt.tree(), await attempt.journal()]
  const plans = readSearch(journal, tree)
  if (plans === null) return 'no_search'
  const moves = linearizeSearch(tree, plans, parameters.search)
  if (moves.length === 0) return 'no_model_message'
  // An observation and an action each: the paper counts both.
  if (2 * moves.length > parameters.max_turns) return 'too_long'
  if (parameters.examples === 'backtracking' && moves.every(({ undone }) => undone === 0)) return 'no_detour'
  const verdicts = new Verdicts(journal)
  const turns: SearchTurn[] = []
  for (const move of moves) {
    const turn = toTurn(tree, move, verdicts, seen, parameters)
    if (typeof turn === 'string') return turn
    turns.push(turn)
  }
  return { tree, turns }
}

function toTurn(
  tree: Tree,
  { from, node, undone, belief }: SearchMove,
  verdicts: Verdicts,
  seen: SeenPictures,
  { restore_action, values }: ExplorationParameters,
): SearchTurn | LeftOutReason {
  const [state, next] = [tree.nodes[from], tree.nodes[node]]
  const visible = state === undefined ? null : seenOf(state.observation, seen)
  if (visible === null) return 'not_text'
  const { content: text, ...pictures } = visible
  // At the beginning of the conversation the root's text has no observation label; after going back to the root it
  // has one.
  const shown = state?.parent === null ? observationTurn(tree, text) : text
  const message = undone === 0 ? (next?.message ?? null) : null
  if (undone === 0 && message === null) return 'no_model_message'
  const own = verdicts.of(from)
  // If judges gave reasons, a bare number would not fit their wording.
  const number = belief !== null && values === 'words' && !verdicts.some ? valueInWords(belief) : null
  return {
    from,
    node,
    undone,
    shown,
    ...pictures,
    message,
    ...(undone === 0 && next !== undefined && answerThoughts(next)),
    thoughts: thoughtsOf(own),
    assessment: belief === null ? null : (nearestThought(own, belief) ?? number),
    restoreAction: renderRestoreAction(restore_action, { steps: undone, depth: depthOf(tree, node) }),
  }
}

function depthOf({ nodes }: Tree, node: number): number {
  let depth = 0
  for (let at = nodes[node]?.parent; at !== null && at !== undefined; at = nodes[at]?.parent) depth += 1
  return depth
}
