import type { Message } from '../../../core/contracts/message.ts'
import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import { readTranscript } from './read-transcript.ts'
import { fallible, gradeState } from './verdict.ts'

type Judgement = 'Good' | 'Bad' | 'Uncertain'

const reasons: Readonly<Record<Judgement, readonly string[]>> = {
  Good: [
    'The environment took the action, and it leads towards the goal',
    'The step was needed for the task',
  ],
  Bad: [
    'The environment refused the action, or nothing came of it',
    'The step brought nothing that the task needs',
  ],
  Uncertain: ['Nothing shows whether the step was needed', 'What is shown does not tell enough'],
}

export function writeJudgement(shown: string, skill: number, random: Random): string {
  const judgement = judgementOf(readTranscript(shown) ?? [], skill, random)
  const reason = choose(reasons[judgement], random) ?? ''
  const view = choose(['Going by what the environment answered', 'Looking at the turns before it'], random)
  return `Reasons: ${view}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.\nJudgement: ${judgement}`
}

function judgementOf(turns: readonly Message[], skill: number, random: Random): Judgement {
  const right = gradeState(turns)
  if (right === null) return isUnchanged(turns) ? 'Bad' : 'Uncertain'
  const letter = fallible(right, skill, random)
  return letter === 'D' || letter === 'E' ? 'Bad' : 'Good'
}

function isUnchanged(turns: readonly Message[]): boolean {
  const [before, now] = turns.filter(({ role }) => role === 'user').slice(-2)
  return now !== undefined && before?.content === now.content
}
