import type { FoundConversation } from './made-attempt.ts'
import type { Line } from './scripted-journal.ts'

/** Tries a and b, decides for b; from there tries c and, in its place, d, which solves the task. */
export const twoSteps: readonly Line[] = [
  { take: 'a' },
  { value: 0.2, of: 1 },
  { take: 'b' },
  { value: 0.7, of: 2 },
  { take: 'a2', from: 1 },
  { value: 0.1, of: 3 },
  { commit: 2 },
  { take: 'c', from: 2 },
  { value: 0, of: 4 },
  { take: 'd', from: 2, reward: 1 },
  { value: 1, of: 5 },
  { commit: 5 },
]

export const last = (rows: readonly FoundConversation[]) => rows.at(-1) as FoundConversation

export function conversation({ row }: FoundConversation): string[] {
  return row.type === 'conversation' ? row.messages.map(({ role, content }) => `${role}: ${content}`) : []
}
