import type { LiveEnvironment, SessionStanding } from '../session-source.ts'
import { findNoJson } from './find-no-json.ts'
import { PureSession } from './pure-sessions.ts'

/** How long one call may take. Milliseconds. */
export const longestCall = 120_000

/** A step of a walk through a task; the first one is the reset, and has no action. */
export interface WalkStep {
  action: string | null
  standing: SessionStanding
  /** What keeps the state from being JSON; null where nothing does, or where there is no state to look at. */
  noJson: string | null
}

/** What was done in one task, from its start. */
export interface Walk {
  task: string
  seed: number
  steps: WalkStep[]
}

export function callSignal(): AbortSignal {
  return AbortSignal.timeout(longestCall)
}

export function toWalkStep(
  action: string | null,
  standing: SessionStanding,
  live: LiveEnvironment,
): WalkStep {
  const state: unknown = live instanceof PureSession ? live.state : standing.snapshot?.state
  return { action, standing, noJson: state === undefined ? null : findNoJson(state) }
}

/** Puts a session where the walk was after its first `count` steps: by the snapshot of there, or the same way again. */
export async function bringTo(live: LiveEnvironment, walk: Walk, count: number): Promise<SessionStanding> {
  const { snapshot } = (walk.steps[count] as WalkStep).standing
  if (snapshot !== null) return live.restore(snapshot, callSignal())
  let standing = await live.restore(null, callSignal())
  for (const { action } of walk.steps.slice(1, count + 1)) {
    standing = await live.step(action ?? '', callSignal())
  }
  return standing
}

/** In what two standings differ that should be the same; null where they do not. */
export function findDifference(
  expected: SessionStanding,
  came: SessionStanding,
): { field: string; expected: unknown; came: unknown } | null {
  for (const field of ['observation', 'reward', 'done', 'valid', 'progress', 'state_hash'] as const) {
    if (!Object.is(expected[field], came[field])) {
      return { field, expected: expected[field], came: came[field] }
    }
  }
  return null
}
