import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setTenantCaps } from '../../../../shared/core/engine/spending/tenant-row.ts'
import type { ChatModel } from '../../../../shared/play/models/chat-model.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { createTestEnvironment } from '../../../support/test-environment.ts'

const price = { call: 0.001, bound: 0.0015 }
const tokens = { call: 100, bound: 150 }

/** Ends solved after so many actions. */
const environmentOf = (steps: number, tasks: number) =>
  withTasks(
    createTestEnvironment<{ step: number }>({
      reset: () => ({ state: { step: 0 }, observation: 'start' }),
      step: ({ step }) => {
        const done = step + 1 === steps
        return { state: { step: step + 1 }, observation: `step ${step + 1}`, reward: done ? 1 : 0, done }
      },
    }),
    tasks,
  )

/** Every call costs the same, which is less than it is reserved with. */
const model: ChatModel = {
  async complete(_, { meter }) {
    const reservation = await meter.reserve({ cost: price.bound, tokens: tokens.bound })
    await new Promise((resolve) => setTimeout(resolve, 1))
    const spent = { input_tokens: tokens.call - 1, output_tokens: 1, cost: price.call }
    await reservation.settle(spent)
    return {
      choices: [{ content: 'Thought: t\nAction: a', finish_reason: 'stop' }],
      model_calls: 1,
      ...spent,
    }
  },
}

interface Case {
  /** Episodes that the cap pays for. */
  paid: number
  steps: number
  tasks: number
  max_parallel: number
  workers: number
  cap: 'cost' | 'tokens' | 'tenant'
}

/** Plays until the cap pauses the run, checks what ended, and plays on under a higher cap. */
async function playCapped({ paid, steps, tasks, max_parallel, workers, cap }: Case): Promise<void> {
  const world = await openTestWorld()
  const engines = Array.from({ length: workers }, (_, at) =>
    openTestEngine({ world, model, environment: environmentOf(steps, tasks), worker: `w${at}` }),
  )
  const [engine] = engines
  if (engine === undefined) throw new Error('There is a worker.')
  const cost = paid * steps * price.call + price.bound
  const money = cap === 'tokens' ? { tokens: paid * steps * tokens.call + tokens.bound } : { cost }
  if (cap === 'tenant') await setTenantCaps(world.ledger, 'default', { cap_cost: Math.round(cost * 1e9) })
  const { id } = await engine.runs.create(
    toRequest({ max_parallel, ...(cap !== 'tenant' && { limits: money }) }),
  )
  await Promise.all(engines.map(({ worker }) => worker.start()))
  const paused = await untilStatus(engine, id, 'paused', 'succeeded', 'failed')
  expect(paused.status).toBe('paused')
  expect(paused.usage.cost).toBeLessThanOrEqual(cost)
  expect(paused.usage.input_tokens + paused.usage.output_tokens).toBeLessThanOrEqual(money.tokens ?? Infinity)
  expect(paused.episodes.succeeded).toBeGreaterThanOrEqual(Math.max(1, paid - 1))
  expect(paused.status_reason).toContain(`of ${tasks} episodes have ended`)

  if (cap === 'tenant') await setTenantCaps(world.ledger, 'default', { cap_cost: null })
  await engine.runs.resume(id, cap === 'tenant' ? {} : { limits: { [cap]: 1_000_000 } })
  expect(await untilStatus(engine, id, 'paused', 'succeeded', 'failed')).toMatchObject({
    status: 'succeeded',
    episodes: { succeeded: tasks },
    usage: { model_calls: tasks * steps },
  })
  for (const { worker, errors } of engines) {
    await worker.stop(1)
    expect(errors).toEqual([])
  }
}

test('a cap that pays for one episode ends one, of eight that play side by side', async () => {
  await playCapped({ paid: 1, steps: 20, tasks: 8, max_parallel: 64, workers: 1, cap: 'cost' })
})

test('whatever a cap pays for ends before the pause, but for one episode at most', async () => {
  const cases = fc
    .record({
      paid: fc.integer({ min: 1, max: 5 }),
      more: fc.integer({ min: 1, max: 6 }),
      steps: fc.integer({ min: 2, max: 30 }),
      max_parallel: fc.constantFrom(1, 3, 64),
      workers: fc.integer({ min: 1, max: 2 }),
      cap: fc.constantFrom('cost', 'tokens', 'tenant'),
    })
    .map(({ more, ...rest }) => ({ ...rest, tasks: rest.paid + more }))
  await fc.assert(fc.asyncProperty(cases, playCapped), { numRuns: 12 })
}, 240_000)
