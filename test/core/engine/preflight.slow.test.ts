import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { RunRequestInput, RunStatus } from '../../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import { ProblemBook } from '../../../shared/core/engine/preflight/problem-book.ts'
import { RunStore } from '../../../shared/core/engine/runs/run-store.ts'
import { acquireLease } from '../../../shared/core/world/lease.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { probesOf } from '../../../shared/play/methods/probe-models.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { completion } from '../../play/models/chat-request.ts'
import { answerJson, scriptedServer } from '../../play/models/scripted-server.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld, testFolder } from '../world/local/local-test-world.ts'

const secret = 'sk-very-secret-1234'

type Answer = (response: ServerResponse, position: number) => void

const refuse =
  (status: number, error: object, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error }))
  }
const play: Answer = (response) => answerJson(response, completion('Action: a'))

/** Many tasks over a real server behind the real client, and a worker that plays them. */
async function openRun(
  answer: Answer,
  endpoint: Record<string, unknown> = {},
  request: Partial<RunRequestInput> = {},
  prepare: (world: World, run: string) => Promise<unknown> = async () => undefined,
) {
  let current = answer
  const server = await scriptedServer((_request, response, position) => current(response, position))
  const models = openModels(
    new Map([
      [
        'mine',
        endpointSchema.parse({
          kind: 'openai',
          base_url: server.baseUrl,
          api_key_env: 'THE_KEY',
          max_retries: 1,
          ...endpoint,
        }),
      ],
    ]),
    { environment: { THE_KEY: secret } },
  )
  onTestFinished(() => models.close())
  const world = await openTestWorld(await testFolder())
  const engine = openTestEngine({
    world,
    environment: withTasks(createHashEnvironment(1), 200),
    models,
    probes: (run, purpose) =>
      probesOf(run, purpose, {
        methods: openMethods(),
        models,
        environments: openEnvironments(definitions, null),
        counters: async () => new Map(),
        isSimulated: (name) => name === 'simulated',
      }),
    probeDelays: [5, 5],
    capacity: 1000,
  })
  const model = { endpoint: 'mine', id: 'gpt-test' }
  const run = await engine.runs.create(toRequest({ model, max_parallel: 64, max_retries: 0, ...request }))
  await prepare(world, run.id)
  await engine.worker.start()
  const answerWith = (next: Answer) => {
    current = next
  }
  return { ...server, ...engine, run: run.id, answerWith, until: untilStatus.bind(null, engine, run.id) }
}

describe('200 tasks against an endpoint that', () => {
  test.each([
    [
      'refuses the key',
      refuse(401, { message: `Incorrect API key provided: ${secret}` }),
      'Incorrect API key',
    ],
    ['refuses the right', refuse(403, { message: 'Country not supported' }), 'Country not supported'],
    ['knows no such address', refuse(404, { message: 'Not found' }), 'Not found'],
    [
      'knows no such model',
      refuse(404, { message: 'no model gpt-test', code: 'model_not_found' }),
      'no model',
    ],
    [
      'has no credit left',
      refuse(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
      'exceeded your current quota',
    ],
    ['refuses what it is asked', refuse(400, { message: 'not a valid model ID' }), 'not a valid model ID'],
    ['answers with a page', (response: ServerResponse) => response.end('<html>hello</html>'), 'a page'],
  ])('%s pause after at most three requests, with its own words', async (_what, answer, words) => {
    const { callIds, errors, run, runs, until } = await openRun(answer)
    const paused = await until('paused')
    expect(paused.status_reason).toContain(words)
    expect(paused.status_reason).toContain('resume')
    expect(callIds.length).toBeLessThanOrEqual(3)
    expect(paused.episodes).toMatchObject({ errored: 0, failed: 0, succeeded: 0, total: 200 })
    expect(paused.last_problem?.message).toContain(words)
    const events = await runs.events(run, { after: 0, limit: 1000 })
    expect(JSON.stringify([paused, events])).not.toContain(secret)
    expect(errors).toEqual([])
  })

  test('takes no connection pause after three tries, whose wait is said', async () => {
    const { callIds, run, runs, until } = await openRun(play, { base_url: 'http://127.0.0.1:9/v1' })
    const paused = await until('paused')
    expect(paused.status_reason).toContain('connection refused by 127.0.0.1:9')
    expect(callIds).toEqual([])
    const events = await runs.events(run, { after: 0, limit: 1000 })
    const problems = events.flatMap((event) => (event.type === 'run.problem' ? [event.message] : []))
    expect(problems[0]).toMatch(/connection refused by 127.0.0.1:9.*; try 1 of 3, next in 1 s$/)
  })
})

test('a run whose models are there asks each once, pays for it, and plays', async () => {
  const { callIds, until } = await openRun(
    play,
    {},
    { tasks: { limit: 2 }, method: { id: 'react', max_steps: 1 } },
  )
  const ended = await until('succeeded', 'failed')
  expect(ended.usage.model_calls).toBe(callIds.length)
  expect(callIds).toHaveLength(3)
  expect(ended.last_problem).toBeNull()
})

test('a worker that was killed while it asked does not keep others from asking, whatever the clock was', async () => {
  const { callIds, until } = await openRun(
    play,
    {},
    { tasks: { limit: 1 }, method: { id: 'react', max_steps: 1 } },
    (world, run) =>
      acquireLease(world.ledger, ledgerKeys.preflight(run), 'killed', {
        now: Date.now(),
        duration: 3_600_000,
      }),
  )
  expect((await until('succeeded', 'failed')).episodes.errored).toBe(0)
  expect(callIds).toHaveLength(2)
})

test('a model that is overloaded when it is asked is there: its run goes on', async () => {
  const busy = refuse(503, { message: 'busy' }, { 'retry-after-ms': '1' })
  const { until } = await openRun(
    (response, at) => (at === 0 ? busy : play)(response, at),
    {},
    { tasks: { limit: 2 } },
  )
  expect((await until('succeeded', 'failed')).episodes.errored).toBe(0)
})

test('a resumed run asks again when it was refused, and not when its models had answered', async () => {
  const { answerWith, callIds, run, runs, until } = await openRun(
    refuse(401, { message: 'no' }),
    {},
    { tasks: { limit: 1 }, method: { id: 'react', max_steps: 1 } },
  )
  await until('paused')
  answerWith(play)
  await runs.resume(run, {})
  await until('succeeded', 'failed')
  expect(callIds).toHaveLength(3)
})

test('a run that is refused later pauses, loses no episode, and goes on when it is resumed', async () => {
  const withdrawn = refuse(401, { message: 'the key was withdrawn' })
  const { answerWith, callIds, run, runs, until } = await openRun((response, at) =>
    (at < 20 ? play : withdrawn)(response, at),
  )
  const paused = await until('paused')
  expect(paused.status_reason).toContain('the key was withdrawn')
  expect(paused.episodes.errored).toBe(0)
  // Those in flight, and the probe that made sure.
  expect(callIds.length).toBeLessThanOrEqual(20 + 64 + 1)
  answerWith(play)
  await runs.resume(run, {})
  expect((await until('succeeded', 'failed')).episodes.errored).toBe(0)
})

test('a call from before a pause that is refused after the resume ends no episode', async () => {
  const withdrawn = refuse(401, { message: 'the key was withdrawn' })
  let refuseLate: () => void = () => undefined
  const { answerWith, run, runs, until } = await openRun((response, at) => {
    if (at === 20) refuseLate = () => withdrawn(response, at)
    else (at < 20 ? play : withdrawn)(response, at)
  })
  await until('paused')
  answerWith(play)
  await runs.resume(run, {})
  refuseLate()
  expect((await until('succeeded', 'failed')).episodes.errored).toBe(0)
})

test('an episode that alone is refused ends with its error, and the run goes on', async () => {
  const { until } = await openRun(
    (response, at) => (at === 1 ? refuse(403, { message: 'flagged' }) : play)(response, at),
    {},
    { tasks: { limit: 5 } },
  )
  const ended = await until('succeeded', 'failed', 'paused')
  expect(ended.status).toBe('succeeded')
  expect(ended.episodes.errored).toBe(1)
})

test('what keeps an episode from going on shows on it and on its run until a call is answered', async () => {
  const busy = refuse(429, { message: 'Rate limit reached' }, { 'retry-after-ms': '20' })
  let isBusy = true
  const { run, runs, until } = await openRun(
    (response, at) => {
      if (at > 0 && isBusy) busy(response, at)
      else play(response, at)
    },
    { max_retries: 100 },
    { tasks: { limit: 1 } },
  )
  const shown = async () => (await runs.get(run)).last_problem ?? null
  while ((await shown()) === null) await new Promise((resolve) => setTimeout(resolve, 5))
  expect((await shown())?.message).toMatch(
    /"mine" failed with status 429: .*Rate limit reached; try \d+ of 101, next in 1 s$/,
  )
  const [episode] = (await runs.episodes(run, { limit: 1 })).data
  expect(episode?.last_problem?.message).toContain('Rate limit reached')
  isBusy = false
  const ended = await until('succeeded', 'failed')
  expect(ended.last_problem).toBeNull()
  expect((await runs.episodes(run, { limit: 1 })).data[0]?.last_problem).toBeNull()
})

test('what a worker noted that is gone is struck out when a call is answered, but not of a run that is paused', async () => {
  const world = await openTestWorld(await testFolder())
  const { runs } = openTestEngine({ world })
  const { id: run } = await runs.create(toRequest({}))
  const store = new RunStore(world)
  const errors: unknown[] = []
  const book = new ProblemBook({ world, store, onError: (error) => errors.push(error) })
  const noted = { message: 'connection refused', at: new Date(0).toISOString() }
  const afterAnswer = async (status: RunStatus) => {
    await store.change(run, () => ({ set: { status, last_problem: noted } }))
    book.answered(run, 'ep-0000000')
    await book.leave(run, 'ep-0000000')
    book.leaveRun(run)
    return (await runs.get(run)).last_problem
  }
  expect(await afterAnswer('paused')).toEqual(noted)
  expect(await afterAnswer('running')).toBeNull()
  expect(errors).toEqual([])
})

describe('the probes of a run', () => {
  const models = openModels(
    new Map([['mine', endpointSchema.parse({ kind: 'openai', base_url: 'http://127.0.0.1:9/v1' })]]),
  )
  const names = async (request: Partial<RunRequestInput>) => {
    const asked = toRequest({ model: { endpoint: 'mine', id: 'policy' }, ...request })
    const isSimulated = (name: string) => name === 'simulated'
    return (
      await probesOf(asked, 'play', {
        methods: openMethods(),
        models,
        environments: openEnvironments(definitions, null),
        counters: async () => new Map(),
        isSimulated,
      })
    ).map(({ choice }) => choice.id)
  }

  test('are one for each model that the method asks', async () => {
    const roles = { value: { id: 'judge' }, debate: { id: 'never asked' } }
    expect(await names({ method: { id: 'mcts', value: 'judge' }, roles })).toEqual(['policy', 'judge'])
    expect(await names({ method: { id: 'mcts', value: 'judge' } })).toEqual(['policy'])
    expect(await names({ roles })).toEqual(['policy'])
  })

  test('are none of the simulated model', async () => {
    expect(await names({ model: { endpoint: 'simulated', id: 'any' } })).toEqual([])
  })
})

test('a run keeps one warning of an endpoint that counts far fewer tokens than it is sent, and goes on', async () => {
  const short: Answer = (response) =>
    answerJson(response, completion('Action: a', { prompt_tokens: 3, completion_tokens: 2 }))
  const head = 'The rules of this world are long, and each of them matters to the agent. '.repeat(30)
  const prompts = { react: head }
  const played = await openRun(short, {}, { prompts })
  await played.until('succeeded')
  const { warnings } = await played.runs.get(played.run)
  expect(warnings).toEqual([
    expect.objectContaining({ code: 'short_prompt_count', endpoint: 'mine', model: 'gpt-test' }),
  ])
})

describe('a model without a system role', () => {
  const withoutSystem = async (endpoint: object) => {
    const refused = 'System role not supported'
    const bodies: { messages: { role: string }[]; n?: number }[] = []
    const server = createServer(async (request, response) => {
      const body = (await json(request)) as (typeof bodies)[number]
      bodies.push(body)
      const isRefused = body.messages.some(({ role }) => role === 'system')
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isRefused ? { error: { message: refused } } : completion('Action: a')))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    })
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const request = { tasks: { limit: 3 }, method: { id: 'react', max_steps: 2 } } as const
    return { ...(await openRun(play, { base_url, ...endpoint }, request)), bodies }
  }

  test("pauses its run with the provider's words and the setting, and no episode errs", async () => {
    const { bodies, until } = await withoutSystem({})
    const paused = await until('paused', 'failed', 'succeeded')
    expect(paused.status).toBe('paused')
    expect(paused.status_reason).toContain('System role not supported')
    expect(paused.status_reason).toContain('set system to "user"')
    expect(paused.episodes).toMatchObject({ errored: 0 })
    expect(bodies).toHaveLength(1)
  })

  test('plays where the system text is folded into the first turn of the user', async () => {
    const { bodies, until } = await withoutSystem({ system: 'user' })
    const ended = await until('paused', 'failed', 'succeeded')
    expect(ended.episodes).toMatchObject({ errored: 0, total: 3 })
    expect(bodies.length).toBeGreaterThan(3)
  })
})

describe('a model that reasons beyond its completion', () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 10,
    total_tokens: 1110,
    completion_tokens_details: { reasoning_tokens: 1000 },
  }
  const reasoned: Answer = (response) => answerJson(response, completion('Action: a', usage))
  const prices = { '*': { input: 1, output: 10 } }

  test('is paid for in full', async () => {
    const { until } = await openRun(
      reasoned,
      { prices },
      { tasks: { limit: 1 }, method: { id: 'react', max_steps: 3 } },
    )
    const ended = await until('succeeded', 'failed')
    const { cost, model_calls, output_tokens } = ended.usage
    expect(model_calls).toBeGreaterThan(1)
    expect(output_tokens).toBe(1010 * model_calls)
    expect(cost).toBeCloseTo(0.0102 * model_calls, 9)
  })

  test.each([0.02, 0.05])('keeps within a cap of $%s', async (cost) => {
    const { until } = await openRun(
      reasoned,
      { prices },
      { limits: { cost }, max_parallel: 1, model: { endpoint: 'mine', id: 'gpt-test', max_tokens: 20 } },
    )
    const paused = await until('paused')
    expect(paused.status_reason).toContain('limits.cost reached')
    expect(paused.usage.model_calls).toBeGreaterThan(0)
    expect(paused.usage.cost).toBeLessThanOrEqual(cost)
  })
})
