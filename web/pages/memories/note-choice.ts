import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'

export interface NoteChoice {
  side: MemoryNote['side'] | null
  text: string
  sort: 'written' | 'surprise' | 'use'
  /** The run in whose episodes uses are counted; null: the run that wrote the memory. */
  shownIn: string | null
}

export const sides: Record<MemoryNote['side'], string> = {
  policy: 'for who acts',
  value: 'for who judges',
  task: 'for everybody',
}

export const sorts: Record<NoteChoice['sort'], string> = {
  written: 'as they were written',
  surprise: 'the most surprising first',
  use: 'the most shown first',
}

export function readNoteChoice(address: URLSearchParams): NoteChoice {
  const side = address.get('side')
  const sort = address.get('sort')
  return {
    side: isKey(sides, side) ? side : null,
    text: address.get('text')?.slice(0, 200) ?? '',
    sort: isKey(sorts, sort) ? sort : 'written',
    shownIn: address.get('in'),
  }
}

function isKey<Key extends string>(known: Record<Key, string>, key: string | null): key is Key {
  return key !== null && Object.hasOwn(known, key)
}
