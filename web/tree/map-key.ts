import type { Direction } from './tree-move.ts'

/** What a key does in the explorer. */
export type MapKey =
  | { move: Direction }
  | { go: 'root' | 'answer' | 'panel' }
  | { zoom: number }
  | { hit: 1 | -1 }
  | { step: 1 | -1 }
  | { do: 'fit' | 'toggle' | 'find' | 'keys' | 'close' }

const anywhere: Record<string, MapKey> = {
  b: { go: 'answer' },
  f: { do: 'fit' },
  '+': { zoom: 1.3 },
  '=': { zoom: 1.3 },
  '-': { zoom: 1 / 1.3 },
  n: { hit: 1 },
  N: { hit: -1 },
  ',': { step: -1 },
  '.': { step: 1 },
  '/': { do: 'find' },
  '?': { do: 'keys' },
  Escape: { do: 'close' },
}

const onMap: Record<string, MapKey> = {
  ArrowLeft: { move: 'parent' },
  ArrowRight: { move: 'child' },
  ArrowUp: { move: 'previous' },
  ArrowDown: { move: 'next' },
  Home: { go: 'root' },
  Enter: { go: 'panel' },
  ' ': { do: 'toggle' },
}

/** What a key does wherever the focus is in the explorer; null where it means nothing. */
export function explorerKey(key: string): MapKey | null {
  return Object.hasOwn(anywhere, key) ? (anywhere[key] ?? null) : null
}

/** What a key does besides, while the map has the focus. */
export function mapKey(key: string): MapKey | null {
  return Object.hasOwn(onMap, key) ? (onMap[key] ?? null) : null
}
