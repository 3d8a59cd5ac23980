import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { SessionSnapshot } from '../../shared/core/contracts/session.ts'
import { hashState } from '../../shared/environments/hash-state.ts'
import { extendPath, snapshotDigest, startPath } from '../../shared/environments/session-path.ts'
import type { SeenResult } from '../../shared/environments/session-source.ts'
import type { BackendAnswer, SessionBackend, ValueState } from './session-backend.ts'

export type StepAnswer = Omit<SessionSnapshot, 'step_index' | 'state' | 'digest'>

export interface TakenStep {
  readonly step_index: number
  readonly action: string
  readonly from: string
  readonly answer: StepAnswer
  readonly before: TakenStep | null
}

export interface SessionPosition {
  readonly step_index: number
  readonly answer: StepAnswer
  readonly last: TakenStep | null
}

interface Origin {
  environment: string
  task: string
  seed: number
}

/**
 * Puts a session at a snapshot, or at the start of its task.
 * @throws EspalierError `not_supported`; `state_not_kept`; `invalid_request` for a snapshot that is damaged or of
 * another task
 */
export async function enter(
  backend: SessionBackend,
  origin: Origin,
  snapshot: SessionSnapshot | undefined,
): Promise<SessionPosition> {
  if (snapshot === undefined) {
    const result = await backend.reset()
    return { step_index: 0, answer: answerOf(backend, result, startPath(origin, result)), last: null }
  }
  const { kept } = backend
  const value = kept ? null : stateOf(backend, origin.environment, 'opened from a snapshot')
  if (snapshotDigest(origin, snapshot) !== snapshot.digest) {
    throw new EspalierError(
      'invalid_request',
      'The snapshot does not fit its digest: it is damaged, or of another task or seed. Take it as it was answered, or replay the path.',
      { param: 'snapshot' },
    )
  }
  const { step_index, state, digest, ...answer } = snapshot
  value?.write(state)
  const shown = kept && { observation: await kept.restore(state) }
  return { step_index, answer: { ...answer, ...shown }, last: null }
}

export async function advance(
  backend: SessionBackend,
  position: SessionPosition,
  action: string,
  { name, seen }: { name: string; seen?: SeenResult | undefined },
): Promise<SessionPosition & { last: TakenStep }> {
  const { step_index, last } = position
  const from = position.answer.path
  const result = await backend.step(action, seen)
  const answer = answerOf(backend, result, extendPath(from, action, result))
  return {
    step_index: step_index + 1,
    answer,
    last: { step_index, action: name, from, answer, before: last },
  }
}

/** @throws EspalierError `not_supported` if the state is neither a value nor kept */
export async function takeSnapshot(
  backend: SessionBackend,
  origin: Origin,
  position: SessionPosition,
): Promise<SessionSnapshot> {
  const snapshot = await snapshotOf(backend, origin, position)
  if (snapshot !== null) return snapshot
  throw notCopied(origin.environment, 'taken as a snapshot')
}

export async function snapshotOf(
  backend: SessionBackend,
  origin: Origin,
  { answer, step_index }: SessionPosition,
): Promise<SessionSnapshot | null> {
  const state: JsonObject | null = backend.value?.read() ?? (await backend.kept?.keep()) ?? null
  if (state === null) return null
  // The step's answer included the pictures, which are no part of the state.
  const { pictures: _, questions: __, trace: ___, ...said } = answer
  const value = { ...said, step_index, state }
  return { ...value, digest: snapshotDigest(origin, value) }
}

/** @throws EspalierError `not_supported` if the state is no value */
export function stateOf(backend: SessionBackend, environment: string, done: string): ValueState {
  if (backend.value) return backend.value
  throw notCopied(environment, done)
}

function notCopied(environment: string, done: string): EspalierError {
  return new EspalierError(
    'not_supported',
    `A session of ${environment} cannot be ${done}: its state is held by a program. Open one at the start of the task, and take the same steps.`,
  )
}

function answerOf(backend: SessionBackend, result: BackendAnswer, path: string): StepAnswer {
  const { observation, pictures, questions, runtime, screen, trace, reward, done, valid, progress } = result
  const state_hash = backend.value ? hashState(backend.value.read()) : null
  const more = {
    ...(pictures && { pictures }),
    ...(questions && { questions }),
    ...(runtime !== undefined && { runtime }),
    ...(screen !== undefined && { screen }),
    ...(trace !== undefined && { trace }),
  }
  return { observation, ...more, reward, done, valid, progress, state_hash, path }
}
