import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import { readTranscript } from './read-transcript.ts'
import { fallible, gradeState, type VerdictLetter } from './verdict.ts'

const scores: Readonly<Record<VerdictLetter, readonly number[]>> = {
  A: [9, 10],
  B: [6, 7, 8],
  C: [4, 5, 6],
  D: [2, 3, 4],
  E: [0, 1, 2],
}

export function writeScore(shown: string, skill: number, random: Random): string {
  const letter = fallible(gradeState(readTranscript(shown) ?? []), skill, random)
  const reason = letter === 'A' ? 'the environment confirms the goal' : 'the goal is not confirmed'
  const view = choose(['Going by what the environment answered', 'Looking at all turns'], random)
  return `Reasons: ${view}, ${reason}.\nScore: ${choose(scores[letter], random) ?? 5}`
}
