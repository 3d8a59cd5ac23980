import type { Direction } from './tree-move.ts'

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

export function explorerKey(key: string): MapKey | null {
  return Object.hasOwn(anywhere, key) ? (anywhere[key] ?? null) : null
}

export function mapKey(key: string): MapKey | null {
  return Object.hasOwn(onMap, key) ? (onMap[key] ?? null) : null
}
