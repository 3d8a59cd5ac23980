import type { Tree } from '../../../../core/contracts/tree.ts'
import { observationText } from '../../../../play/search/conversation.ts'
import { pathTo } from '../../path-to.ts'

const likeness = 0.9

/**
 * Tests whether two ways through a tree say the same: equally long, answers that differ only in numbers (such as
 * those of elements of a page), and observations with nearly all of their words in common.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code `tree_to_data`: traversals similar to their predecessor are
 * dropped
 */
export function isSimilar(tree: Tree, one: number, other: number): boolean {
  if (one === other) return true
  const [path, rival] = [pathTo(tree, one), pathTo(tree, other)]
  return (
    path.length === rival.length &&
    path.every((node, place) => node === rival[place] || showSame(tree, node, rival[place] as number))
  )
}

function showSame({ nodes }: Tree, one: number, other: number): boolean {
  const [left, right] = [nodes[one], nodes[other]]
  if (left === undefined || right === undefined) return false
  if (masked(left.message) !== masked(right.message)) return false
  const [words, others] = [
    wordsOf(observationText(left.observation)),
    wordsOf(observationText(right.observation)),
  ]
  const shared = [...words].filter((word) => others.has(word)).length
  const all = words.size + others.size - shared
  return all === 0 || shared / all > likeness
}

function masked(message: string | null): string {
  return (message ?? '').replace(/\d+/g, '#')
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .replace(/\[\d+\]/g, '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )
}
