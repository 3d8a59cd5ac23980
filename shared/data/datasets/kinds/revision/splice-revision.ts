import type { WeightedMessage } from '../../../../core/contracts/dataset-row.ts'
import type { Tree, TreeNode } from '../../../../core/contracts/tree.ts'
import { observationTurn } from '../../../../play/search/conversation.ts'
import { pathTo } from '../../path-to.ts'
import { type SeenPictures, seenHead, seenOf } from '../../seen-pictures.ts'
import { asContext } from '../as-context.ts'
import type { EndPair } from './choose-pairs.ts'

export interface SplicedPath {
  /** Ends on the last observation. */
  messages: WeightedMessage[]
  bad: number[]
  good: number[]
}

export interface RevisionTurn {
  sentence: string
  pause_action: string
}

/**
 * Splices a good path to a bad beginning. The result has three parts:
 *
 * - the bad path up to the first error, the error and its observation included;
 * - a turn in which the model notices the error;
 * - the good path without the shared beginning.
 *
 * The loss is on that turn and on all later ones. None of it is executed: the good path's observations are those of
 * its own state.
 *
 * @param firstError - the last node of the bad path to keep; null: its end
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.2, and `path_collection.py`, which drops the shared
 * beginning of both paths if the texts of their turns are equal
 */
export function spliceRevision(
  tree: Tree,
  pair: EndPair,
  firstError: number | null,
  { sentence, pause_action }: RevisionTurn,
  seen: SeenPictures = null,
): SplicedPath {
  const bad = pathTo(tree, firstError ?? pair.bad)
  const path = pathTo(tree, pair.good)
  const good = path.slice(sharedLength(tree, path, bad, seen))
  return {
    messages: [
      ...asContext(headOf(tree, seen)),
      ...bad.slice(1).flatMap((node) => renderTurn(tree, node, 0, seen)),
      { role: 'assistant', content: revisionTurn(tree, sentence, pause_action), weight: 1 },
      { role: 'user', content: observationTurn(tree, 'ok.') },
      ...good.flatMap((node) => renderTurn(tree, node, 1, seen)),
    ],
    bad,
    good,
  }
}

function headOf(tree: Tree, seen: SeenPictures) {
  return seenHead(tree, seen) ?? tree.messages.map(({ role, content }) => ({ role, content }))
}

/** A text in a run of tools would teach an action that no tool takes: there the sentence stands alone. */
function revisionTurn({ tools }: Tree, sentence: string, pause: string): string {
  return tools === undefined ? `Thought: ${sentence}\nAction: ${pause}` : sentence
}

export function renderWholePath(tree: Tree, end: number, seen: SeenPictures = null): WeightedMessage[] {
  const [, ...path] = pathTo(tree, end)
  return [...asContext(headOf(tree, seen)), ...path.flatMap((node) => renderTurn(tree, node, 1, seen))]
}

function sharedLength(
  tree: Tree,
  path: readonly number[],
  other: readonly number[],
  seen: SeenPictures,
): number {
  const turnOf = (node: number | undefined) =>
    JSON.stringify(
      node === undefined
        ? null
        : renderTurn(tree, node, 0, seen).map(({ content, pictures = [] }) => [content, pictures]),
    )
  let length = 1
  // The good end itself is always in the row.
  while (
    length < path.length - 1 &&
    length < other.length &&
    turnOf(path[length]) === turnOf(other[length])
  ) {
    length += 1
  }
  return length
}

function renderTurn(tree: Tree, position: number, weight: 0 | 1, seen: SeenPictures): WeightedMessage[] {
  const { message, observation, reasoning } = tree.nodes[position] as TreeNode
  const shown = seenOf(observation, seen)
  if (message === null || shown === null) {
    throw new Error(`Node ${position} of the tree of task ${tree.task} cannot be rendered.`)
  }
  return [
    { role: 'assistant', content: message, ...(reasoning && { reasoning }), weight },
    { role: 'user', ...shown },
  ]
}
