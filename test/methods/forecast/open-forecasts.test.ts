import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type List, toList } from '../../../shared/contracts/list.ts'
import {
  type Run,
  type RunRequest,
  type RunRequestInput,
  runRequestSchema,
} from '../../../shared/contracts/run.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { countCalls } from '../../../shared/methods/effort.ts'
import { openForecasts } from '../../../shared/methods/forecast/open-forecasts.ts'
import { findMethod, parseMethodParameters } from '../../../shared/methods/methods.ts'
import { createRunPlanner } from '../../../shared/methods/plan-run.ts'
import type { Price } from '../../../shared/models/prices.ts'

const environments = openEnvironments(definitions, null)
const planner = (price: Price | null) => createRunPlanner({ environments, isPriced: () => price !== null })

function toRequest(more: Partial<RunRequestInput> = {}): RunRequest {
  return runRequestSchema.parse({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 10 },
    method: { id: 'react' },
    model: { endpoint: 'mine', id: 'gpt', max_tokens: 100 },
    ...more,
  })
}

/** An ended run of ten episodes that took 5 calls, 1000 tokens and 50 tokens each. */
async function anEarlier(
  id: string,
  more: Partial<RunRequestInput> = {},
  run: Partial<Run> = {},
): Promise<Run> {
  const none = { waiting: 0, active: 0, failed: 0, limited: 0, errored: 0, cancelled: 0 }
  return {
    id,
    status: 'succeeded',
    episodes: { ...none, total: 10, succeeded: 10 },
    usage: { model_calls: 50, input_tokens: 10_000, output_tokens: 500, cost: 1 },
    request: (await planner(null).plan(toRequest(more))).request,
    ...run,
  } as Run
}

async function estimate(more: Partial<RunRequestInput> = {}, runs: Run[] = [], price: Price | null = null) {
  const list = async (): Promise<List<Run>> => toList(runs, false)
  const forecasts = openForecasts({
    planner: planner(price),
    environments,
    price: () => price,
    slots: (_environment, hosting) => (hosting === 'host' ? 4 : 'worker'),
    runs: { list },
  })
  return forecasts.estimate(toRequest(more))
}

describe('without earlier runs', () => {
  it('money is null where the endpoint has no price, and says so', async () => {
    const unpriced = await estimate()
    expect([unpriced.cost, unpriced.per_episode.cost]).toEqual([null, null])
    expect(unpriced.reckoned.cost).toContain('"mine" states no price for "gpt"')
    const { cost, input_tokens, output_tokens } = await estimate({}, [], { input: 2, output: 8 })
    expect(cost?.at_most).toBeCloseTo((input_tokens.at_most * 2 + output_tokens.at_most * 8) / 1e6, 3)
  })

  it('each task counts as often as it is played', async () => {
    const [once, thrice] = [await estimate(), await estimate({ epochs: 3 })]
    expect(thrice.episodes).toEqual({ expected: 30, at_most: 30 })
    expect(thrice.model_calls.at_most).toBe(3 * once.model_calls.at_most)
  })

  it('prompts grow to max_prompt_tokens and no further', async () => {
    const model = { endpoint: 'mine', id: 'gpt', max_tokens: 100, max_prompt_tokens: 1500 }
    const { input_tokens, model_calls } = (await estimate({ model })).per_episode
    expect(input_tokens.at_most).toBeLessThanOrEqual(1500 * model_calls.at_most)
    expect(input_tokens.at_most).toBeGreaterThan(1400 * model_calls.at_most * 0.8)
  })

  it('refuses what a run would be refused for', async () => {
    await expect(estimate({ limits: { cost: 1 } })).rejects.toMatchObject({ code: 'unpriced_endpoint' })
    await expect(estimate({ method: { id: 'mcst' } })).rejects.toMatchObject({ code: 'unknown_method' })
    await expect(estimate({ tasks: { split: 'tests' } })).rejects.toMatchObject({ code: 'unknown_task' })
  })
})

describe('limits', () => {
  it.each<[Partial<RunRequestInput>, string, string]>([
    [{ limits: { tokens: 1000 } }, 'limits.tokens', 'expected'],
    [{ limits: { tokens: 200_000 } }, 'limits.tokens', 'possible'],
    [{ limits: { tokens: 100_000_000 } }, 'limits.tokens', 'no'],
    [{ limits: { cost: 0.001 } }, 'limits.cost', 'expected'],
    [{ limits: { time: 60 } }, 'limits.time', 'unknown'],
    [{ episode_limits: { turns: 2 } }, 'episode_limits.turns', 'expected'],
    [{ episode_limits: { turns: 15 } }, 'episode_limits.turns', 'possible'],
    [{ episode_limits: { turns: 25 } }, 'episode_limits.turns', 'no'],
    [{ episode_limits: { steps: 2 } }, 'episode_limits.steps', 'expected'],
    [{ episode_limits: { steps: 25 } }, 'episode_limits.steps', 'no'],
    [{ episode_limits: { tokens: 500 } }, 'episode_limits.tokens', 'expected'],
    [{ episode_limits: { cost: 0.000_01 } }, 'episode_limits.cost', 'expected'],
  ])('%j: %s binds: %s', async (more, param, binds) => {
    const { limits } = await estimate(more, [], { input: 1, output: 4 })
    expect(limits).toEqual([{ param, value: expect.any(Number), binds }])
  })

  it('of the run bound what is expected and what can be', async () => {
    const { cost, episodes, input_tokens, output_tokens } = await estimate({ limits: { tokens: 30_000 } })
    expect(input_tokens.expected + output_tokens.expected).toBeLessThanOrEqual(30_000)
    expect([input_tokens.at_most, cost]).toEqual([30_000, null])
    expect(episodes.expected).toBeLessThan(episodes.at_most)
  })

  it('that ended the earlier episodes are expected to again', async () => {
    const more = { episode_limits: { turns: 12 } }
    const limited = await anEarlier('run-1', more, {
      episodes: { ...(await anEarlier('')).episodes, limited: 10 },
    })
    expect((await estimate(more, [limited])).limits[0]).toMatchObject({ binds: 'expected' })
  })
})

describe('earlier runs', () => {
  it('tell what is expected, at the price of today', async () => {
    const runs = [
      await anEarlier('run-2', { seed: 7, tasks: { split: 'test', limit: 10 } }),
      await anEarlier('run-1'),
    ]
    const found = await estimate({}, runs, { input: 1000, output: 2000 })
    expect(found.reckoned).toMatchObject({ from: 'earlier_runs', runs: ['run-2', 'run-1'], episodes: 20 })
    expect(found.reckoned.model_calls).toContain('20 episodes of 2 earlier runs')
    expect(found.model_calls).toEqual({ expected: 50, at_most: 200 })
    expect(found.per_episode).toMatchObject({
      input_tokens: { expected: 1000 },
      output_tokens: { expected: 50 },
      cost: { expected: 1.1 },
    })
  })

  it('of the same tasks count alone where there are any', async () => {
    const other = await anEarlier('run-2', { tasks: { split: 'train', limit: 10 } })
    expect((await estimate({}, [other])).reckoned).toMatchObject({ runs: ['run-2'] })
    expect((await estimate({}, [other, await anEarlier('run-1')])).reckoned).toMatchObject({
      runs: ['run-1'],
    })
  })

  it.each<[string, Partial<RunRequestInput>, Partial<Run>]>([
    ['of another model', { model: { endpoint: 'mine', id: 'other', max_tokens: 100 } }, {}],
    ['with longer answers', { model: { endpoint: 'mine', id: 'gpt', max_tokens: 101 } }, {}],
    ['of another method', { method: { id: 'mcts' } }, {}],
    ['with other parameters', { method: { id: 'react', max_steps: 19 } }, {}],
    ['with limits of its own', { episode_limits: { turns: 1 } }, {}],
    ['that was cancelled', {}, { status: 'cancelled' }],
    ['that still runs', {}, { status: 'running' }],
  ])('one %s tells nothing', async (_what, more, run) => {
    const { reckoned } = await estimate({}, [await anEarlier('run-1', more, run)])
    expect(reckoned).toMatchObject({ from: 'method', runs: [] })
  })

  it('without limits are cut to the limits that are asked for now', async () => {
    const found = await estimate({ episode_limits: { turns: 2 } }, [await anEarlier('run-1')])
    expect(found.per_episode.model_calls).toEqual({ expected: 2, at_most: 2 })
    expect(found.per_episode.input_tokens.expected).toBe(400)
  })
})

it("a method's effort is never less likely than possible, and limits only lessen it", () => {
  const count = fc.integer({ min: 1, max: 60 })
  const chosen = fc.oneof(
    fc.record({ id: fc.constant('react'), max_steps: count }),
    fc.record({ id: fc.constant('mcts'), iterations: count, samples: count, max_depth: fc.nat(30) }),
  )
  fc.assert(
    fc.property(chosen, count, ({ id, ...given }, steps) => {
      const method = findMethod(id)
      const parameters = parseMethodParameters(method, given)
      const [limited, free] = [steps, Number.POSITIVE_INFINITY].map((most) =>
        method.effort(parameters, { max_steps: 20, steps: most }),
      )
      if (limited === undefined || free === undefined) throw new Error('unreachable')
      for (const { expected, at_most } of [limited, free])
        expect(countCalls(expected)).toBeLessThanOrEqual(countCalls(at_most) + 1e-9)
      expect(countCalls(limited.at_most)).toBeLessThanOrEqual(countCalls(free.at_most))
      expect(countCalls(limited.expected)).toBeLessThanOrEqual(countCalls(free.expected) + 1e-9)
    }),
  )
})

describe('the hours of hosts', () => {
  it('are none where the environment runs inside the worker', async () => {
    expect((await estimate()).host_hours).toEqual({ expected: 0, at_most: 0 })
  })

  it('are those of as many hosts as its sessions need, with the time until they are idle', async () => {
    const { host_hours, model_calls, reckoned } = await estimate({ hosting: 'host' })
    // Ten episodes at once on hosts of four sessions.
    const hours = (calls: number) => (3 * ((calls * 3) / 10 + 300)) / 3600
    expect(host_hours.expected).toBeCloseTo(hours(model_calls.expected), 9)
    expect(host_hours.at_most).toBeCloseTo(hours(model_calls.at_most), 9)
    expect(reckoned.host_hours).toMatch(/^3 hosts of up to 4 sessions/)
  })
})
