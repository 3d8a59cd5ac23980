import type { NoteUses } from '../../../shared/contracts/memory.ts'

export type NoteUse = NoteUses['uses'][number]

/** Notes that were shown, the most shown first, equals in their own order. */
export function rankByUse(uses: readonly NoteUse[]): string[] {
  return uses.toSorted((one, other) => other.count - one.count).map(({ note }) => note)
}

/** Items in the order of the ids; ids without an item are left out. */
export function inOrder<Item extends { id: string }>(items: readonly Item[], ids: readonly string[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
