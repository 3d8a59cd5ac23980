import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../core/contracts/json.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { sampled } from '../../core/random/shuffled.ts'
import type { IsolatedEnvironment, PureEnvironment } from '../environment.ts'
import { type OpenCore, openCore } from '../open-core.ts'
import type { CheckBook } from './check-book.ts'
import { validationCaller } from './pure-sessions.ts'
import { errorLine } from './shown-text.ts'
import type { Walk } from './walk.ts'

const mostTried = 20

interface Place {
  core: OpenCore
  state: JsonObject
  task: string
  step: number
}

export async function checkCore(
  environment: PureEnvironment | IsolatedEnvironment,
  walk: Walk,
  book: CheckBook,
): Promise<void> {
  const { task, seed } = walk
  const core = await openCore(environment, task, validationCaller)
  let { state } = await core.reset(seed)
  for (const [step, { action }] of walk.steps.slice(1).entries()) {
    await checkValidActions({ core, state, task, step }, seed, book)
    const next = await checkArguments({ core, state, task, step }, action ?? '', book)
    if (next.done) await checkAfterEnd({ core, state: next.state, task, step: step + 1 }, book)
    state = next.state
  }
}

async function checkArguments({ core, state, task, step }: Place, action: string, book: CheckBook) {
  const before = structuredClone(state)
  const { given, ...next } = await core.step(state, action)
  book.hold('arguments')
  if (!isDeepStrictEqual(given, before)) {
    const reason = 'The step changed the state that it was given. Make a new one instead.'
    book.fail('arguments', { reason, task, step, action, expected: before, came: given })
  }
  return next
}

async function checkValidActions(place: Place, seed: number, book: CheckBook): Promise<void> {
  const { core, state, task, step } = place
  const before = structuredClone(state)
  const { actions: listed, given } = await core.validActions(state)
  if (listed === null) {
    book.skip('valid-actions', 'The environment does not list its valid actions.')
    return
  }
  book.hold('valid-actions')
  if (!isDeepStrictEqual(given, before)) {
    book.fail('arguments', { reason: 'validActions() changed the state that it was given.', task, step })
  }
  if (!isDeepStrictEqual([...listed], [...new Set(listed)].sort())) {
    const reason = 'The actions must be sorted, and each listed once.'
    book.fail('valid-actions', { reason, task, step, came: listed })
  }
  for (const action of sampled(listed, mostTried, seededRandom('valid', task, step, seed))) {
    await tryValid({ ...place, state: before }, action, book)
  }
}

async function tryValid({ core, state, task, step }: Place, action: string, book: CheckBook): Promise<void> {
  try {
    const next = await core.step(structuredClone(state), action)
    if (next.done) await checkAfterEnd({ core, state: next.state, task, step: step + 1 }, book)
    if (next.valid) return
    const reason = 'The action is listed as valid, and its step says that it is not.'
    book.fail('valid-actions', {
      reason,
      task,
      step,
      action,
      expected: 'valid: true',
      came: next.observation,
    })
  } catch (error) {
    book.fail('steps', { reason: errorLine(error), task, step, action })
  }
}

/** A host refuses a step after the end, but a search may still try one. */
async function checkAfterEnd({ core, state, task, step }: Place, book: CheckBook): Promise<void> {
  const action = 'look'
  book.hold('after-end')
  try {
    await core.step(structuredClone(state), action)
  } catch (error) {
    book.fail('after-end', { reason: errorLine(error), task, step, action })
  }
}
