import { EspalierError } from '../core/contracts/errors.ts'
import { clipText } from '../core/contracts/well-formed.ts'
import type { SessionResult } from './session-source.ts'

export type RecordedAnswer = Omit<SessionResult, 'snapshot'>

export interface PathStep {
  readonly action: string | null
  readonly answer: RecordedAnswer
}

export interface ReplayRules {
  task: string
  replays: 'exact' | 'matched'
  runtime: string | undefined
}

/** The fields that an exact replay must reproduce. Different states may show the same observation. */
const verified = ['observation', 'reward', 'done', 'valid', 'progress', 'state_hash'] as const
const shown: readonly (typeof verified)[number][] = ['observation', 'reward']
const outcome: readonly (typeof verified)[number][] = ['reward', 'done', 'valid', 'progress']

export function isSamePath(
  gone: readonly PathStep[],
  path: readonly PathStep[],
  replays: ReplayRules['replays'],
): boolean {
  return gone.length === path.length && isPrefixOf(gone, path, replays)
}

export function isPrefixOf(
  gone: readonly PathStep[],
  path: readonly PathStep[],
  replays: ReplayRules['replays'],
): boolean {
  const compared = replays === 'matched' ? outcome : shown
  return (
    gone.length <= path.length &&
    gone.every((step, index) => {
      const { action, answer } = path[index] as PathStep
      if (step === path[index]) return true
      return step.action === action && compared.every((field) => isSame(step.answer[field], answer[field]))
    })
  )
}

/**
 * Compares a replayed answer with the recorded step.
 * @throws EspalierError `replay_diverged`, naming the first step whose answer differs from the recorded one
 */
export function refuseDiverged(
  path: readonly PathStep[],
  index: number,
  seen: PathStep,
  rules: ReplayRules,
): void {
  const { action, answer } = path[index] as PathStep
  const { observation, reward } = seen.answer
  const compared = rules.replays === 'matched' ? outcome : verified
  const other = compared.filter((field) => !isSame(seen.answer[field], answer[field]))
  if (other.length === 0) return
  const what = action === null ? 'the reset' : `step ${index} ("${cut(action)}")`
  throw new EspalierError(
    'replay_diverged',
    `The environment answered ${what} of ${rules.task} differently on replay: "${cut(observation)}" with reward ${reward}, where the journal holds "${cut(answer.observation)}" with reward ${answer.reward} (other is: ${other.join(', ')}). It is not deterministic, or another version of it than before.${otherRuntime(path, rules.runtime)}`,
  )
}

function otherRuntime(path: readonly PathStep[], here: string | undefined): string {
  const recorded = path[0]?.answer.runtime
  if (recorded === undefined || here === undefined || recorded === here) return ''
  return ` The episode began with ${recorded}, and this replay is by ${here}: go on where the first is, or play the task afresh.`
}

/** Journals of older versions hold lone surrogates, which become U+FFFD before the comparison. */
function isSame(seen: unknown, recorded: unknown): boolean {
  return seen === recorded || (typeof recorded === 'string' && seen === recorded.toWellFormed())
}

function cut(text: string): string {
  return text.length <= 120 ? text : `${clipText(text, 120)}…`
}
