import type { Message } from '../../../core/contracts/message.ts'
import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Outlook } from '../../../environments/simulated/expert.ts'
import { readAction } from '../../../environments/simulated/policy.ts'
import { remembering } from '../../../environments/simulated/remembering.ts'
import { lookAt } from '../players.ts'
import { readTranscript } from './read-transcript.ts'

const letters = ['A', 'B', 'C', 'D', 'E'] as const

export type VerdictLetter = (typeof letters)[number]

const judged = remembering<{ right: VerdictLetter | null; goal: string }>(1024)

/**
 * Grades the progress of a task. `A`: done. `B`: one action is missing. `C`: in progress. `D`: the last action did
 * not help. `E`: it was refused, or the task can no longer succeed. Null for an environment unknown to the experts.
 *
 * @param turns - from the first observation
 */
export function gradeState(turns: readonly Message[]): VerdictLetter | null {
  const now = lookAt(turns)
  if (now === null) return null
  if (now.isReached) return 'A'
  if (now.isSpoiled || now.isRefused) return 'E'
  if (now.missing === 1) return 'B'
  const last = turns.findLastIndex(({ role }) => role === 'assistant')
  const before = last < 0 ? null : lookAt(turns.slice(0, last))
  return before === null || leadsOn(turns[last]?.content ?? '', before, now) ? 'C' : 'D'
}

function leadsOn(answer: string, before: Outlook, now: Outlook): boolean {
  return readAction(answer) === before.next || now.missing < before.missing
}

export function fallible(right: VerdictLetter | null, skill: number, random: Random): VerdictLetter {
  const meant = right ?? choose(['C', 'D'] as const, random) ?? 'C'
  if (random() < (1 + skill) / 2) return meant
  const at = letters.indexOf(meant)
  const beside = letters.filter((_letter, index) => Math.abs(index - at) === 1)
  return choose(beside, random) ?? meant
}

const reasons: Readonly<Record<VerdictLetter, readonly string[]>> = {
  A: ['The environment confirmed the goal', 'Everything that was asked for has been done'],
  B: ['All but the last step is done', 'What is missing takes a single action'],
  C: ['The steps so far lead towards the goal', 'The last action was a sensible one'],
  D: ['The last action brought nothing that is needed', 'Another action would have been better'],
  E: ['The last action was refused', 'There is no progress in what was done last'],
}

export function writeVerdict(shown: string, skill: number, random: Random): string {
  const { right, goal } = judged(shown, () => {
    const turns = readTranscript(shown) ?? []
    return { right: gradeState(turns), goal: lookAt(turns)?.goal ?? 'do what was asked' }
  })
  const verdict = fallible(right, skill, random)
  const reason = choose(reasons[verdict], random) ?? ''
  const view = choose(['Going by what the environment answered', 'Weighing it all'], random)
  return `Thoughts: ${view}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}. The task is to ${goal}.\nStatus code: ${verdict}`
}
