import { clipText } from '../contracts/well-formed.ts'
import type { EnvironmentFacts } from './environment.ts'

/** Bytes of UTF-8 that an observation may have where the environment declares nothing else. */
export const largestObservation = 2 * 1024 * 1024
/** Characters of a state's JSON: it is kept for every node of a tree. */
export const largestState = 4 * 1024 * 1024

/** What an environment answered that its contract rules out: the episode ends as errored, and nothing of it is a reward. */
export class StepResultError extends Error {
  override readonly name = 'StepResultError'
}

/** A field of an answer that is not what it should be. */
export interface WrongField {
  field: string
  expected: string
  /** The value, or what is wrong with it. */
  came: unknown
  /** It as text, where it comes from another process. */
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
 * The first field of a step's or a reset's answer that the contract of environments rules out; null when all is well. One
 * check for every kind of environment: modules, programs, hosts and outside servers.
 */
export function findWrongField(answer: Answered, bounds: ResultBounds): WrongField | null {
  const { observation, reward, done, valid, progress } = answer
  if (typeof observation !== 'string') return { field: 'observation', expected: 'a text', came: observation }
  const most = bounds.max_observation_bytes ?? largestObservation
  // Three bytes a UTF-16 unit at most, so that short texts are not counted.
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

/** As {@link findWrongField}, of a state. */
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
 * @param where.step how many steps lie before it, from 1; 0: the reset; null: unknown
 * @throws StepResultError that names the environment, the step, the field, its value and the way out
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

/** As errors name it. */
export function stepName(step: number | null): string {
  if (step === null) return 'a step'
  return step === 0 ? 'its reset' : `step ${step}`
}

export function showValue(value: unknown): string {
  if (value === undefined || typeof value === 'number' || typeof value === 'bigint') return String(value)
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    // It has no JSON, such as a value that holds itself.
  }
  return clipText(text ?? `a ${typeof value}`, 200)
}
