import { EspalierError } from '../contracts/errors.ts'
import { clipText } from '../contracts/well-formed.ts'
import type { SessionResult } from './session-source.ts'

/** What a reset or a step is recorded with. */
export type RecordedAnswer = Omit<SessionResult, 'snapshot'>

/** A step of a recorded path, with what it was answered; the first has no action: it is the reset. */
export interface PathStep {
  readonly action: string | null
  readonly answer: RecordedAnswer
}

/** Of which task a path is, and what a replay of it has to show again. */
export interface ReplayRules {
  task: string
  /** `exact`: each answer as it is recorded; `matched`: how it came out, while texts may differ. */
  replays: 'exact' | 'matched'
  /** What plays the replay, with its version, where it is known. */
  runtime: string | undefined
}

/** What has to be answered on a recorded path as it was. The same may be shown of states that differ. */
const verified = ['observation', 'reward', 'done', 'valid', 'progress', 'state_hash'] as const
/** By what a state is known again within an episode. */
const shown: readonly (typeof verified)[number][] = ['observation', 'reward']
/** Of what a replay only has to match: how it came out. */
const outcome: readonly (typeof verified)[number][] = ['reward', 'done', 'valid', 'progress']

/** Whether a path that was gone leads to where a recorded one does: by the same actions, with what a replay has to show again. */
export function isSamePath(
  gone: readonly PathStep[],
  path: readonly PathStep[],
  replays: ReplayRules['replays'],
): boolean {
  return gone.length === path.length && isPrefixOf(gone, path, replays)
}

/** Whether a recorded path goes on from where one ends that was gone. */
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
 * Compares what a replay showed with the recorded step.
 *
 * @throws EspalierError `replay_diverged`, naming the step that was answered differently than it is recorded
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

/** That what plays the environment is another version than the one that the path was recorded with; empty where it is not known. */
function otherRuntime(path: readonly PathStep[], here: string | undefined): string {
  const recorded = path[0]?.answer.runtime
  if (recorded === undefined || here === undefined || recorded === here) return ''
  return ` The episode began with ${recorded}, and this replay is by ${here}: go on where the first is, or play the task afresh.`
}

/** Journals of older versions hold lone surrogates, which now become U+FFFD before they are compared. */
function isSame(seen: unknown, recorded: unknown): boolean {
  return seen === recorded || (typeof recorded === 'string' && seen === recorded.toWellFormed())
}

function cut(text: string): string {
  return text.length <= 120 ? text : `${clipText(text, 120)}…`
}
