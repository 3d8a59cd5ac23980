import type { Tree, TreeNode } from '../../shared/core/contracts/tree.ts'

export function searchNodes({ nodes }: Tree, text: string): number[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return nodes.flatMap((node, index) => (holds(node, wanted) ? [index] : []))
}

export function nextHit(hits: readonly number[], from: number, direction: 1 | -1): number | null {
  if (hits.length === 0) return null
  const found = direction === 1 ? hits.find((hit) => hit > from) : hits.findLast((hit) => hit < from)
  return found ?? (direction === 1 ? hits[0] : hits.at(-1)) ?? null
}

function holds({ action, message, observation }: TreeNode, wanted: string): boolean {
  return (
    includes(action, wanted) ||
    includes(message, wanted) ||
    observation.some((part) => part.type === 'text' && includes(part.text, wanted))
  )
}

function includes(text: string | null, wanted: string): boolean {
  return text?.toLowerCase().includes(wanted) ?? false
}
