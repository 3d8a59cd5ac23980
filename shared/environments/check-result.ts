import { clipText } from '../core/contracts/well-formed.ts'
import type { EnvironmentFacts } from './environment.ts'

export const largestObservation = 2 * 1024 * 1024
/** Maximum characters of a state's JSON. Every node of a tree stores one. */
export const largestState = 4 * 1024 * 1024

/** An environment's answer breaks its contract. The episode ends as errored, and no reward comes of it. */
export class StepResultError extends Error {
  override readonly name = 'StepResultError'
}

export interface WrongField {
  field: string
  expected: string
  came: unknown
  shown?: string
}

export type ResultBounds = Pick<EnvironmentFacts, 'reward_range' | 'max_observation_bytes'>

interface Answered {
  observation: unknown
  reward: unknown
  done: unknown
  valid: unknown
  progress: unknown
}

/**
 * Returns the first field of a step's or a reset's answer that breaks the contract of environments, or null. All
 * kinds of environment use this check: modules, programs, hosts and outside servers.
 */
export function findWrongField(answer: Answered, bounds: ResultBounds): WrongField | null {
  const { observation, reward, done, valid, progress } = answer
  if (typeof observation !== 'string') return { field: 'observation', expected: 'a text', came: observation }
  const most = bounds.max_observation_bytes ?? largestObservation
  if (observation.length * 3 > most && Buffer.byteLength(observation) > most) {
    const came = `${Buffer.byteLength(observation)} bytes`
    const expected = `at most ${most} bytes, or as many as the environment declares as max_observation_bytes`
    return { field: 'observation', expected, came }
  }
  if (typeof reward !== 'number' || !Number.isFinite(reward))
    return { field: 'reward', expected: 'a finite number', came: reward }
  const [least, greatest] = bounds.reward_range ?? [-Infinity, Infinity]
  if (reward < least || reward > greatest)
    return {
      field: 'reward',
      expected: `from ${least} to ${greatest}, the declared reward_range`,
      came: reward,
    }
  if (typeof done !== 'boolean') return { field: 'done', expected: 'true or false', came: done }
  if (typeof valid !== 'boolean') return { field: 'valid', expected: 'true or false', came: valid }
  if (typeof progress !== 'number' || !(progress >= 0 && progress <= 1))
    return { field: 'progress', expected: 'a number from 0 to 1', came: progress }
  return null
}

export function findWrongState(state: unknown): WrongField | null {
  const wrong = (came: unknown) => ({ field: 'state', expected: 'a JSON object', came })
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return wrong(state)
  let length: number
  try {
    length = JSON.stringify(state).length
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  if (length <= largestState) return null
  const expected = `at most ${largestState} characters of JSON: what is the same for a whole task belongs in open()`
  return { field: 'state', expected, came: `${length} characters` }
}

/**
 * @param where.step the step's number, from 1; 0: the reset; null: unknown
 * @throws StepResultError that names the environment, the step, the field, its value and the fix
 */
export function refuseWrong(
  wrong: WrongField | null,
  where: { environment: string; step: number | null },
): void {
  if (wrong === null) return
  const { environment, step } = where
  const { field, expected, came, shown = showValue(came) } = wrong
  throw new StepResultError(
    `The environment ${environment} answered ${stepName(step)} with ${field} = ${shown}; it has to be ${expected}. Correct the environment, check it with "espalier environments validate", and retry the run.`,
  )
}

export function stepName(step: number | null): string {
  if (step === null) return 'a step'
  return step === 0 ? 'its reset' : `step ${step}`
}

export function showValue(value: unknown): string {
  if (value === undefined || typeof value === 'number' || typeof value === 'bigint') return String(value)
  const kind = `a ${typeof value}`
  try {
    return clipText(JSON.stringify(value) ?? kind, 200)
  } catch {
    // A value that contains itself has no JSON.
    return kind
  }
}
