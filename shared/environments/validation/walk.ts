import { EspalierError } from '../../core/contracts/errors.ts'
import type { LiveEnvironment, SessionResult } from '../session-source.ts'
import { findNoJson } from './find-no-json.ts'
import { PureSession } from './pure-sessions.ts'

export const longestCall = 120_000

export interface WalkStep {
  action: string | null
  result: SessionResult
  /** The reason why the state is no JSON. Null if it is, or if there is no readable state. */
  noJson: string | null
}

export interface Walk {
  task: string
  seed: number
  steps: WalkStep[]
}

export function callSignal(): AbortSignal {
  return AbortSignal.timeout(longestCall)
}

export function toWalkStep(action: string | null, result: SessionResult, live: LiveEnvironment): WalkStep {
  const state: unknown = live instanceof PureSession ? live.state : result.snapshot?.state
  return { action, result, noJson: state === undefined ? null : findNoJson(state) }
}

export async function bringTo(live: LiveEnvironment, walk: Walk, count: number): Promise<SessionResult> {
  const { snapshot } = (walk.steps[count] as WalkStep).result
  try {
    if (snapshot !== null) return await live.restore(snapshot, callSignal())
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== 'state_not_kept') throw error
  }
  let result = await live.restore(null, callSignal())
  for (const { action } of walk.steps.slice(1, count + 1)) {
    result = await live.step(action ?? '', callSignal())
  }
  return result
}

export function findDifference(
  expected: SessionResult,
  came: SessionResult,
): { field: string; expected: unknown; came: unknown } | null {
  for (const field of ['observation', 'reward', 'done', 'valid', 'progress', 'state_hash'] as const) {
    if (!Object.is(expected[field], came[field])) {
      return { field, expected: expected[field], came: came[field] }
    }
  }
  return null
}
