import type { NoteUses } from '../../../shared/core/contracts/memory.ts'

export type NoteUse = NoteUses['uses'][number]

export function rankByUse(uses: readonly NoteUse[]): string[] {
  return uses.toSorted((one, other) => other.count - one.count).map(({ note }) => note)
}

export function inOrder<Item extends { id: string }>(items: readonly Item[], ids: readonly string[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
