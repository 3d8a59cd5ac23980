import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Scale } from './label-choice.ts'

export type LabelCommand =
  | { value: number }
  | { step: 1 | -1 }
  | { do: 'step' | 'skip' | 'undo' | 'note' | 'leave' }

export interface ValueKey {
  value: number
  word: string
  keys: readonly string[]
}

const gradeWords = ['1 of 5', '2 of 5', '3 of 5', '4 of 5', '5 of 5']

export const valueKeys: Record<Scale, readonly ValueKey[]> = {
  binary: [
    { value: 1, word: 'Good', keys: ['1', 'y'] },
    { value: 0, word: 'Bad', keys: ['0', 'n'] },
  ],
  graded: [5, 4, 3, 2, 1].map((grade) => ({
    value: (grade - 1) / 4,
    word: gradeWords[grade - 1] ?? '',
    keys: [String(grade)],
  })),
}

const others: Record<string, LabelCommand> = {
  j: { step: 1 },
  k: { step: -1 },
  l: { do: 'step' },
  s: { do: 'skip' },
  u: { do: 'undo' },
  m: { do: 'note' },
  Escape: { do: 'leave' },
}

export function labelCommand(key: string, scale: Scale): LabelCommand | null {
  const given = valueKeys[scale].find(({ keys }) => keys.includes(key))
  return given ? { value: given.value } : (others[key] ?? null)
}

export function describeValue(value: number | null, scale: Scale): string {
  const given = valueKeys[scale].find((each) => each.value === value)
  return given ? `${given.word.toLowerCase()} (${formatNumber(value)})` : formatNumber(value)
}
