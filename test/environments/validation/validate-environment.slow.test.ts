import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import {
  type ValidationReport,
  validationReportSchema,
} from '../../../shared/core/contracts/validation-report.ts'
import { isPure, type PureCore, type PureEnvironment } from '../../../shared/environments/environment.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import type { SessionResult, SessionSource } from '../../../shared/environments/session-source.ts'
import { checks } from '../../../shared/environments/validation/check-book.ts'
import { PureSessions } from '../../../shared/environments/validation/pure-sessions.ts'
import { validateEnvironment } from '../../../shared/environments/validation/validate-environment.ts'
import { withOwnStates } from './own-states.ts'
import { type ToyState, toyEnvironment, toyTasks } from './toy-environment.ts'

const opened = await Promise.all(definitions.map((definition) => definition.open(null)))
/** Those that run on hosts only are validated with their programs, by tests of their own. */
const pure = opened.filter(isPure)

describe.each(pure.map((environment) => [environment.id, environment] as const))(
  '%s, as it comes along',
  (id, environment) => {
    test('passes every check', async () => {
      const report = await validateEnvironment(environment, { tasks: 4, steps: 15 })
      expect(failures(report)).toEqual([])
      expect(report).toMatchObject({ ok: true, environment: id })
      expect(report.tasks.length).toBe(4)
      expect(report.steps).toBeGreaterThan(50)
    })
  },
)

test('a sound environment passes all checks, none of them skipped, and the report fits its schema', async () => {
  const report = await validateEnvironment(toyEnvironment())
  expect(failures(report)).toEqual([])
  expect(report.checks.map(({ id, status }) => [id, status])).toEqual(
    Object.keys(checks).map((id) => [id, 'passed']),
  )
  expect(validationReportSchema.parse(report)).toEqual(report)
})

test('the first task of each split is played before others, and a seed says all the rest', async () => {
  const environment = toyEnvironment()
  const { tasks } = await validateEnvironment(environment, { tasks: 3, seed: 7 })
  expect(tasks.slice(0, 2)).toEqual(['toy-train-1', 'toy-test-1'])
  expect(await validateEnvironment(environment, { seed: 7 })).toEqual(
    await validateEnvironment(environment, { seed: 7 }),
  )
})

type Core = PureCore<JsonObject>
const change =
  (breakStep: (result: ReturnType<Core['step']>, state: JsonObject, action: string) => object) =>
  (core: PureCore<ToyState>): Partial<Core> => ({
    step: (state, action) =>
      ({
        ...core.step(state as ToyState, action),
        ...breakStep(core.step(state as ToyState, action), state, action),
      }) as never,
  })

const broken: [
  string,
  string,
  PureEnvironment,
  { reason: RegExp; expected?: string; came?: string | RegExp; options?: { tasks: number; steps: number } },
][] = [
  [
    'a cap of no steps',
    'facts',
    toyEnvironment({ default_max_steps: 0 }),
    { reason: /^default_max_steps: / },
  ],
  [
    'two tasks of one id',
    'tasks',
    toyEnvironment({ tasks: () => [...toyTasks, ...toyTasks.slice(-1)] }),
    { reason: /Two tasks have the id "toy-test-2"/ },
  ],
  [
    'splits in pieces',
    'tasks',
    toyEnvironment({ tasks: () => [0, 2, 1].map((index) => toyTasks[index] as never) }),
    { reason: /"train" begins again at toy-train-2/ },
  ],
  ['no tasks', 'tasks', toyEnvironment({ tasks: () => [] }), { reason: /no tasks/ }],
  [
    'a guide without rules',
    'guide',
    toyEnvironment({ describe: () => ({ rules: ' ', example: null }) }),
    { reason: /^rules: / },
  ],
  [
    'tasks that cannot be opened',
    'reset',
    {
      ...toyEnvironment(),
      open: async (task) => (toyTasks.some(({ id }) => id === task) ? fail() : toyEnvironment().open(task)),
    },
    { reason: /no such file/ },
  ],
  [
    'unknown tasks that are opened',
    'unknown-task',
    {
      ...toyEnvironment(),
      open: async () => ({
        ...(await toyEnvironment().open('toy-test-1')),
        reset: () => ({ state: { at: 0, best: 0 }, observation: 'up or down?' }),
      }),
    },
    { reason: /was opened/ },
  ],
  [
    'a reward that is no number',
    'answers',
    toyEnvironment(
      {},
      change(() => ({ reward: Number.NaN })),
    ),
    { reason: /"reward"/, expected: 'a finite number', came: 'NaN' },
  ],
  [
    'a reward outside of the declared range',
    'answers',
    toyEnvironment(
      { reward_range: [0, 1] },
      change(() => ({ reward: 7 })),
    ),
    { reason: /"reward"/, expected: 'from 0 to 1, the declared reward_range', came: '7' },
  ],
  [
    'an observation of 2 MiB and a byte',
    'answers',
    toyEnvironment(
      {},
      change(() => ({ observation: 'x'.repeat(2 ** 21 + 1) })),
    ),
    { reason: /"observation"/, came: '2097153 bytes', options: { tasks: 1, steps: 2 } },
  ],
  [
    'progress beyond 1',
    'answers',
    toyEnvironment(
      {},
      change(({ progress }) => ({ progress: progress * 2 })),
    ),
    { reason: /"progress"/, expected: 'a number from 0 to 1' },
  ],
  [
    'progress that falls',
    'progress',
    toyEnvironment(
      {},
      change(({ state }) => ({ progress: (state.at as number) / 3 })),
    ),
    { reason: /cannot fall/ },
  ],
  [
    'odd actions that throw',
    'odd-actions',
    toyEnvironment(
      {},
      change((_result, _state, action) => (action.length > 1000 ? fail() : {})),
    ),
    { reason: /no such file/ },
  ],
  [
    'steps that throw',
    'steps',
    toyEnvironment(
      {},
      change((_r, _s, action) => (action === 'down' ? fail() : {})),
    ),
    { reason: /no such file/ },
  ],
  [
    'a date in the state',
    'state',
    toyEnvironment(
      {},
      change(({ state }) => ({ state: { ...state, since: new Date(0) } })),
    ),
    { reason: /^state\.since is a Date/ },
  ],
  [
    'undefined in the state',
    'state',
    toyEnvironment(
      {},
      change(({ state }) => ({ state: { ...state, held: [undefined] } })),
    ),
    { reason: /^state\.held\[0\] is undefined/ },
  ],
  [
    'a map in the state',
    'state',
    toyEnvironment(
      {},
      change(({ state }) => ({ state: { ...state, held: new Map() } })),
    ),
    { reason: /^state\.held is a Map/ },
  ],
  [
    'a function in the state',
    'state',
    toyEnvironment(
      {},
      change(({ state }) => ({ state: { ...state, go: () => 1 } })),
    ),
    { reason: /^state\.go is a function/ },
  ],
  [
    'steps that write into their state',
    'arguments',
    toyEnvironment(
      {},
      change(({ state: next }, state) => ({ state: Object.assign(state, next) })),
    ),
    { reason: /changed the state/ },
  ],
  [
    'valid actions that are not',
    'valid-actions',
    toyEnvironment({}, () => ({ validActions: () => ['fly', 'up'] })),
    { reason: /listed as valid/, expected: 'valid: true' },
  ],
  [
    'valid actions without order',
    'valid-actions',
    toyEnvironment({}, () => ({ validActions: ({ at }) => (at === 0 ? ['up'] : ['up', 'down']) })),
    { reason: /sorted/ },
  ],
  [
    'an end that cannot be stepped past',
    'after-end',
    toyEnvironment(
      {},
      change((_result, state) => (state.at === 3 ? fail() : {})),
    ),
    { reason: /no such file/ },
  ],
  ['a counter', 'determinism', toyEnvironment({}, counting()), { reason: /"observation" is another one/ }],
]

test.each(broken)(
  '%s: exactly the check "%s" fails, with the reason',
  async (_what, id, environment, wanted) => {
    const report = await validateEnvironment(environment, wanted.options)
    expect(report.ok).toBe(false)
    expect(failures(report).map((check) => check.id)).toEqual([id])
    const [found] = failures(report)
    expect(found?.reason).toMatch(wanted.reason)
    if (wanted.expected !== undefined) expect(found?.expected).toBe(wanted.expected)
    if (wanted.came !== undefined) expect(found?.came).toMatch(wanted.came)
  },
)

test('a failure names task, step and action, and long ones are cut', async () => {
  const environment = toyEnvironment(
    {},
    change((_result, _state, action) => (action.length > 1000 ? fail() : {})),
  )
  const [found] = failures(await validateEnvironment(environment))
  expect(found?.at).toMatchObject({ task: 'toy-train-1', step: 4 })
  expect(found?.at?.action).toMatch(/^x{300}… \(100000 characters\)$/)
})

test('what builds on a check that fails is skipped, and says why', async () => {
  const report = await validateEnvironment(toyEnvironment({}, counting()))
  const skipped = report.checks.filter(({ status }) => status === 'skipped')
  expect(skipped.map(({ id, reason }) => [id, reason])).toEqual([
    ['going-back', 'It is not deterministic.'],
    ['forks', 'It is not deterministic.'],
  ])
})

test('a state of which part is kept elsewhere is not gone back to', async () => {
  let held = 0
  const forgetful = toyEnvironment({}, (core) => ({
    reset(task, seed) {
      held = 0
      return core.reset(task, seed)
    },
    ...change(({ observation, valid }) => {
      held += valid ? 1 : 0
      return { observation: `${observation}, coins: ${held}` }
    })(core),
  }))
  const report = await validateEnvironment(forgetful)
  expect(failures(report)).toMatchObject([
    { id: 'going-back', reason: expect.stringContaining('"observation"') },
  ])
  expect(report.checks.find(({ id }) => id === 'forks')).toMatchObject({
    status: 'skipped',
    reason: 'States cannot be gone back to.',
  })
})

test('states that only the session keeps which reached them are gone back to in that session', async () => {
  const wrong = withOwnStates((result) => ({ ...result, progress: 0.25 }))
  expect(failures(await validateEnvironment(toyEnvironment(), { sessions: wrong }))).toMatchObject([
    { id: 'going-back', reason: expect.stringContaining('"progress"') },
  ])
  const right = withOwnStates((result) => result)
  expect(failures(await validateEnvironment(toyEnvironment(), { sessions: right }))).toEqual([])
})

test('sessions that share their state are found out when they take turns', async () => {
  const environment = toyEnvironment()
  const { live } = await new PureSessions(environment).open({ task: 'toy-test-1', seed: 0, holder: 'test' })
  const sessions: SessionSource = {
    open: async (request) => {
      await environment.open(request.task)
      return { live, result: await live.restore(null) }
    },
  }
  const report = await validateEnvironment(environment, { sessions })
  expect(failures(report)).toMatchObject([
    { id: 'forks', reason: expect.stringContaining('reaches the other') },
  ])
})

test('an environment without snapshots is gone back to by its actions, and one that cannot is not', async () => {
  const pure = toyEnvironment()
  const host = { kind: 'image', image: 'toy' } as const
  const { open, ...facts } = pure
  const sessions = withoutSnapshots(new PureSessions(pure))
  const replayed = { ...facts, snapshot: 'replay', host } as const
  const statusOf = ({ checks: all }: ValidationReport, wanted: string) =>
    all.find(({ id }) => id === wanted)?.status
  const report = await validateEnvironment(replayed, { sessions })
  expect(failures(report)).toEqual([])
  expect(['going-back', 'forks', 'state'].map((id) => statusOf(report, id))).toEqual([
    'passed',
    'passed',
    'skipped',
  ])
  const none = await validateEnvironment(
    { ...replayed, snapshot: 'none', deterministic: false },
    { sessions },
  )
  expect(failures(none)).toEqual([])
  expect(['determinism', 'going-back', 'forks'].map((id) => statusOf(none, id))).toEqual(
    Array(3).fill('skipped'),
  )
  await expect(validateEnvironment(replayed)).rejects.toMatchObject({ code: 'invalid_request' })
})

function withoutSnapshots(source: SessionSource): SessionSource {
  const without = (result: SessionResult) => ({ ...result, state_hash: null, snapshot: null })
  return {
    async open(request, signal) {
      const { live, result } = await source.open(request, signal)
      return {
        live: {
          step: async (action, limit) => without(await live.step(action, limit)),
          restore: async (snapshot, limit) => without(await live.restore(snapshot, limit)),
          close: () => live.close(),
        },
        result: without(result),
      }
    },
  }
}

function counting() {
  let steps = 0
  return change(({ observation }) => {
    steps += 1
    return { observation: `${observation}, step ${steps}` }
  })
}

function fail(): never {
  throw new Error('no such file')
}

function failures({ checks: all }: ValidationReport) {
  return all.filter(({ status }) => status === 'failed')
}
