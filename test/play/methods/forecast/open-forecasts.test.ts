import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Price } from '../../../../shared/core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../../../../shared/core/contracts/json.ts'
import { type List, toList } from '../../../../shared/core/contracts/list.ts'
import {
  type Run,
  type RunRequest,
  type RunRequestInput,
  runRequestSchema,
} from '../../../../shared/core/contracts/run.ts'
import type { EnvironmentTask } from '../../../../shared/environments/environment.ts'
import { definitions } from '../../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../../shared/environments/open-environments.ts'
import { countCalls } from '../../../../shared/play/methods/effort.ts'
import { openForecasts } from '../../../../shared/play/methods/forecast/open-forecasts.ts'
import { openMethods, parseMethodParameters } from '../../../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../../../shared/play/methods/plan-run.ts'
import { offerTools, toolsOf } from '../../../../shared/play/methods/tool-dialect.ts'
import { estimateToolTokens } from '../../../../shared/play/models/estimate-tokens.ts'
import { createHashEnvironment } from '../../../support/hash-environment.ts'
import { withoutIdle } from '../../../support/random-methods.ts'
import { onlyEnvironment } from '../../../support/test-environment.ts'

const environments = openEnvironments(definitions, null)
const planner = (price: Price | null) =>
  createRunPlanner({ methods: openMethods(), environments, isPriced: () => price !== null })

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
    learning_episodes: 0,
    episodes: { ...none, total: 10, succeeded: 10 },
    usage: { model_calls: 50, input_tokens: 10_000, output_tokens: 500, cost: 1 },
    request: (await planner(null).plan(toRequest(more))).request,
    ...run,
  } as Run
}

async function estimate(more: Partial<RunRequestInput> = {}, runs: Run[] = [], price: Price | null = null) {
  const list = async (): Promise<List<Run>> => toList(runs, false)
  const forecasts = openForecasts({
    methods: openMethods(),
    environments,
    price: () => price,
    maxChoices: (endpoint) => (endpoint === 'few' ? 4 : null),
    slots: (_environment, hosting) => (hosting === 'host' ? 4 : 'worker'),
    runs: { list, plan: planner(price).plan },
  })
  return forecasts.estimate(toRequest(more))
}

describe('without earlier runs', () => {
  it('every call of an agent that calls tools has these in its prompt', async () => {
    const [text, tools] = [
      await estimate({ method: { id: 'react', actions: 'text' } }),
      await estimate({ method: { id: 'react', actions: 'tools' } }),
    ]
    const { environment } = await environments.open('textcraft')
    const [task] = environment.tasks()
    const offered = estimateToolTokens(offerTools(toolsOf(environment.describe(task as EnvironmentTask))))
    expect(offered).toBeGreaterThan(100)
    const [plain, called] = [text.per_episode, tools.per_episode]
    for (const which of ['expected', 'at_most'] as const) {
      const calls = plain.model_calls[which] as number
      expect(called.model_calls[which]).toBe(calls)
      // The texts around differ by a few words.
      const more = ((called.input_tokens[which] as number) - (plain.input_tokens[which] as number)) / calls
      expect(more).toBeGreaterThan(offered * 0.8)
      expect(more).toBeLessThan(offered * 2)
    }
  })

  it('money is null where the endpoint has no price, and says so', async () => {
    const unpriced = await estimate()
    expect([unpriced.cost, unpriced.per_episode.cost]).toEqual([null, null])
    expect(unpriced.basis.cost).toContain('"mine" states no price for "gpt"')
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

  it('tasks may be longer than the environment says of most', async () => {
    const task = { id: 'long', split: 'test', type: 'any', description: 'any', max_steps: 33 }
    const long = { ...createHashEnvironment(1), tasks: () => [task] }
    const forecasts = openForecasts({
      methods: openMethods(),
      environments: onlyEnvironment(long),
      price: () => null,
      maxChoices: () => null,
      slots: () => 'worker',
      runs: {
        list: async () => toList<Run>([], false),
        plan: createRunPlanner({
          methods: openMethods(),
          environments: onlyEnvironment(long),
          isPriced: () => true,
        }).plan,
      },
    })
    const { model_calls } = await forecasts.estimate(toRequest({ environment: long.id }))
    expect(model_calls.at_most).toBe(33)
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
  it('give what is expected, at the price of today', async () => {
    const runs = [
      await anEarlier('run-2', { seed: 7, tasks: { split: 'test', limit: 10 } }),
      await anEarlier('run-1'),
    ]
    const found = await estimate({}, runs, { input: 1000, output: 2000 })
    expect(found.basis).toMatchObject({ from: 'earlier_runs', runs: ['run-2', 'run-1'], episodes: 20 })
    expect(found.basis.model_calls).toContain('20 episodes of 2 earlier runs')
    expect(found.model_calls).toEqual({ expected: 50, at_most: 200 })
    expect(found.per_episode).toMatchObject({
      input_tokens: { expected: 1000 },
      output_tokens: { expected: 50 },
      cost: { expected: 1.1 },
    })
  })

  it('of the same tasks count alone where there are any', async () => {
    const other = await anEarlier('run-2', { tasks: { split: 'train', limit: 10 } })
    expect((await estimate({}, [other])).basis).toMatchObject({ runs: ['run-2'] })
    expect((await estimate({}, [other, await anEarlier('run-1')])).basis).toMatchObject({
      runs: ['run-1'],
    })
  })

  it.each<[string, Partial<RunRequestInput>, Partial<Run>]>([
    ['of another model', { model: { endpoint: 'mine', id: 'other', max_tokens: 100 } }, {}],
    ['with longer answers', { model: { endpoint: 'mine', id: 'gpt', max_tokens: 101 } }, {}],
    ['of another method', { method: { id: 'mcts' } }, {}],
    ['with other parameters', { method: { id: 'react', max_steps: 19 } }, {}],
    ['with prompts of its own', { prompts: { react: 'Act.' } }, {}],
    ['with another judge', { roles: { value: { id: 'judge' } } }, {}],
    ['with limits of its own', { episode_limits: { turns: 1 } }, {}],
    [
      'with examples of its own',
      {
        examples: [
          { role: 'user', content: 'Craft.' },
          { role: 'assistant', content: 'Action: look' },
        ],
      },
      {},
    ],
    ['that was cancelled', {}, { status: 'cancelled' }],
    ['that still runs', {}, { status: 'running' }],
  ])('one %s is ignored', async (_what, more, run) => {
    const { basis } = await estimate({}, [await anEarlier('run-1', more, run)])
    expect(basis).toMatchObject({ from: 'method', runs: [] })
  })

  it.each<[string, Partial<RunRequest>]>([
    ['of another data pack', { data: 'a'.repeat(64) }],
    ['with other rules', { environment_options: { language: 'other' } }],
  ])('one %s is ignored', async (_what, more) => {
    const run = await anEarlier('run-1')
    const changed = { ...run, request: { ...run.request, ...more } as Run['request'] }
    const { basis } = await estimate({}, [changed])
    expect(basis).toMatchObject({ from: 'method', runs: [] })
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
    fc.record({
      id: fc.constantFrom('mcts', 'rmcts'),
      value: fc.constantFrom('judge', 'debate', 'endpoint', 'reward'),
      plan: fc.constantFrom('per-step', 'whole-task'),
      reuse: fc.boolean(),
      iterations: count,
      max_steps: count,
    }),
    fc.record({
      id: fc.constantFrom('best-first', 'tree-of-thoughts'),
      budget: count,
      max_depth: fc.nat(10),
      max_steps: count,
    }),
    fc.record({ id: fc.constant('best-of-n'), attempts: count }),
  )
  fc.assert(
    fc.property(chosen.map(withoutIdle), count, ({ id, ...given }, steps) => {
      const method = openMethods().find(id)
      const parameters = parseMethodParameters(method, given as JsonObject)
      const [limited, free] = [steps, Number.POSITIVE_INFINITY].map((most) =>
        method.effort(parameters, { max_steps: 20, steps: most }),
      )
      if (limited === undefined || free === undefined) throw new Error('unreachable')
      for (const effort of [limited, free]) {
        for (const { expected, at_most } of [effort, ...(effort.others ?? [])]) {
          expect(countCalls(expected)).toBeLessThanOrEqual(countCalls(at_most) + 1e-9)
        }
      }
      expect(countCalls(limited.at_most)).toBeLessThanOrEqual(countCalls(free.at_most))
      expect(countCalls(limited.expected)).toBeLessThanOrEqual(countCalls(free.expected) + 1e-9)
    }),
  )
})

describe('the roles of a run', () => {
  const value = { id: 'mcts', value: 'judge', iterations: 2, max_steps: 2, proposals: 5, verdicts: 4 }
  const roles = { value: { endpoint: 'theirs', id: 'judge', max_tokens: 50 } }

  it('are counted, each with its own answers', async () => {
    const { model_calls, output_tokens, input_tokens } = (await estimate({ method: value, roles }))
      .per_episode
    // Of two searches: 2 first proposals and 2 expansions, 4 states that are valued and once the checks.
    const [proposals, verdicts, checks] = [2 + 2, 2 * 2, 1]
    expect(model_calls.at_most).toBe(proposals + 3 * (verdicts + checks))
    expect(output_tokens.at_most).toBe(proposals * 5 * 100 + 3 * (verdicts * 4 + checks) * 50)
    expect(input_tokens.at_most).toBeGreaterThan(600 * model_calls.at_most)
  })

  it('are named with what they cost and how many calls they get', async () => {
    const cheap = await estimate({ method: value, roles }, [], { input: 1, output: 4 })
    expect(cheap.basis.model_calls).toContain('By role at most: policy 4, value 15; ')
    expect(cheap.basis.output_tokens).toContain('Answers to a call: policy 5, value 4.')
    expect(cheap.basis.cost).toContain('gpt at mine: $1 a million input tokens')
    expect(cheap.basis.cost).toContain('judge at theirs: $1 a million input tokens')
  })

  it('take several calls for answers that their endpoint does not give at once', async () => {
    const [once, split] = [
      (await estimate({ method: value })).per_episode,
      (await estimate({ method: value, model: { endpoint: 'few', id: 'gpt', max_tokens: 100 } })).per_episode,
    ]
    // Five proposals take two calls each; four verdicts one.
    expect(split.model_calls.at_most - once.model_calls.at_most).toBe(4)
    expect(split.output_tokens.at_most).toBe(once.output_tokens.at_most)
    expect(split.input_tokens.at_most).toBeGreaterThan(once.input_tokens.at_most)
  })

  it('are of no account where the method does not ask them', async () => {
    const [with_, without] = [await estimate({ roles }), await estimate()]
    expect(with_.per_episode).toEqual(without.per_episode)
  })

  it('take more tokens where the run puts longer prompts in the place of theirs', async () => {
    const prompts = { 'judge-question': `${'Look closely. '.repeat(100)}{{transcript}}{{transcript}}` }
    const [usual, longer] = [
      (await estimate({ method: value, roles })).per_episode.input_tokens,
      (await estimate({ method: value, roles, prompts })).per_episode.input_tokens,
    ]
    expect(longer.expected - usual.expected).toBeGreaterThan(2 * 400)
    expect(longer.at_most - usual.at_most).toBeGreaterThan(12 * 400)
  })

  it('make embeddings only where one is named for them', async () => {
    const rmcts = { id: 'rmcts', iterations: 2, max_steps: 2 }
    const [words, vectors] = [
      (await estimate({ method: rmcts })).per_episode.model_calls.at_most,
      (await estimate({ method: rmcts, roles: { embedding: { id: 'vectors' } } })).per_episode.model_calls
        .at_most,
    ]
    // One for each proposal, one for the checks, one for each of five notes.
    expect(vectors - words).toBe(4 + 1 + 5)
  })
})

it('learning episodes are counted, one for each group of tasks', async () => {
  const reflexion = {
    id: 'reflexion',
    train_tasks: 2,
    train_steps: 4,
    notes: 1,
    learn_by: 'environment',
    max_steps: 3,
  }
  const { episodes, learning_episodes, model_calls, per_episode, basis } = await estimate({
    method: reflexion,
  })
  expect([episodes.at_most, learning_episodes]).toEqual([11, 1])
  expect(per_episode.model_calls.at_most).toBe(3)
  // Two tasks of four steps, and a note that may be asked for three times.
  expect(model_calls.at_most).toBe(10 * 3 + 2 * 4 + 3)
  expect(basis.model_calls).toContain(
    'Before, 1 episode of at most 11 calls each (policy 8, reflection 3) learns for the others.',
  )
})

describe('the hours of hosts', () => {
  it('are none where the environment runs inside the worker', async () => {
    expect((await estimate()).host_hours).toEqual({ expected: 0, at_most: 0 })
  })

  it('are those of as many hosts as its sessions need, with the time until they are idle', async () => {
    const { host_hours, model_calls, basis } = await estimate({ hosting: 'host' })
    // Ten episodes at once on hosts of four sessions.
    const hours = (calls: number) => (3 * ((calls * 3) / 10 + 300)) / 3600
    expect(host_hours.expected).toBeCloseTo(hours(model_calls.expected), 9)
    expect(host_hours.at_most).toBeCloseTo(hours(model_calls.at_most), 9)
    expect(basis.host_hours).toMatch(/^3 hosts of up to 4 sessions/)
  })
})
