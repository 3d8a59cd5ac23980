import { expect, test } from 'vitest'
import { provenanceNotice, unknownProvenance } from '../../../shared/core/contracts/provenance.ts'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { digestTasks } from '../../../shared/core/engine/runs/passport-of.ts'
import type { HostedEnvironment } from '../../../shared/environments/environment.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../../shared/play/methods/plan-run.ts'
import { createTestEnvironment, onlyEnvironment } from '../../support/test-environment.ts'

const request = (more: object) =>
  runRequestSchema.parse({
    environment: 'textcraft',
    method: { id: 'mcts' },
    model: { endpoint: 'test', id: 'test' },
    ...more,
  })
const environments = openEnvironments(definitions, null)
const planner = (priced: boolean) =>
  createRunPlanner({ methods: openMethods(), environments, isPriced: () => priced })

test("a plan fills in the method's defaults, which are the paper's", async () => {
  const { request: planned, tasks } = await planner(true).plan(
    request({ tasks: { split: 'test', limit: 3 } }),
  )
  expect(planned.method).toEqual({
    id: 'mcts',
    value: 'none',
    iterations: 8,
    samples: 4,
    exploration: 0.25,
    parallel: 1,
    style: 'plain',
    layout: 'system',
    max_depth: 19,
  })
  expect(tasks).toHaveLength(3)
})

test("react's longest trajectory is the environment's unless said otherwise", async () => {
  const longest = async (method: object) =>
    (await planner(true).plan(request({ method }))).request.method.max_steps
  expect(await longest({ id: 'react' })).toBe(20)
  expect(await longest({ id: 'react', max_steps: 5 })).toBe(5)
})

test.each([
  [{ method: { id: 'mcst' } }, 'unknown_method', 'method.id'],
  [{ method: { id: 'mcts', iterations: 0 } }, 'invalid_request', 'method.iterations'],
  [{ method: { id: 'mcts', iteration: 4 } }, 'unknown_field', 'method.iteration'],
  [{ method: { id: 'mcts', branching: 3 } }, 'unknown_field', 'method.branching'],
  [{ method: { id: 'mcts', value: 'judge', samples: 3 } }, 'unknown_field', 'method.samples'],
  [{ method: { id: 'mcts', value: 'judge', advance_every: 3 } }, 'invalid_request', 'method.advance_every'],
  [{ method: { id: 'rmcts', plan: 'whole-task', reuse: true } }, 'invalid_request', 'method.reuse'],
  [{ method: { id: 'best-first', value: 'reward', verdicts: 3 } }, 'invalid_request', 'method.verdicts'],
  [{ method: { id: 'best-of-n', value: 'endpoint', scale: 'desktop' } }, 'invalid_request', 'method.scale'],
  [
    { method: { id: 'learnact', library: 'lib-1', train_ids: ['textcraft-0177'] } },
    'invalid_request',
    'method.train_ids',
  ],
  [{ roles: { embedding: { temperature: 0 } } }, 'invalid_request', 'roles.embedding.id'],
  [{ limits: { cost: 1 } }, 'unpriced_endpoint', 'limits.cost'],
  [{ episode_limits: { cost: 1 } }, 'unpriced_endpoint', 'episode_limits.cost'],
])('%j is refused as %s', async (more, code, param) => {
  await expect(planner(false).plan(request(more))).rejects.toMatchObject({ code, param })
})

test('a value function that mcts does not know is refused with all that it knows', async () => {
  const refused = planner(true).plan(request({ method: { id: 'mcts', value: 'foo' } }))
  await expect(refused).rejects.toMatchObject({
    param: 'method.value',
    message:
      '"method.value" must be "none", "judge", "debate", "single-debate", "endpoint" or "reward", not "foo".',
  })
})

test('what narrows a selection narrows the test split, unless a split or tasks are named', async () => {
  const { request: planned } = await planner(true).plan(request({ tasks: { limit: 2 } }))
  expect(planned.tasks).toEqual({ split: 'test', limit: 2 })
  const named = { ids: ['textcraft-0042'] }
  expect((await planner(true).plan(request({ tasks: named }))).request.tasks).toEqual(named)
})

test.each([
  [{ snapshot: 'none', deterministic: true }, /can neither snapshot nor replay/],
  [{ snapshot: 'replay', deterministic: false }, /answers differently when they are replayed/],
] as const)('an environment with %j is played by methods only that never go back', async (facts, why) => {
  const environment: HostedEnvironment = {
    ...createTestEnvironment({ reset: () => never(), step: () => never() }),
    ...facts,
    host: { kind: 'image', image: 'any' },
  }
  const plan = (method: string) =>
    createRunPlanner({
      methods: openMethods(),
      environments: onlyEnvironment(environment),
      isPriced: () => true,
    }).plan(request({ method: { id: method } }))
  await expect(plan('mcts')).rejects.toMatchObject({
    param: 'method.id',
    message: expect.stringMatching(why),
  })
  expect((await plan('react')).request.method.id).toBe('react')
})

function never(): never {
  throw new Error('A plan plays nothing.')
}

test('test_on_trained learns from the played tasks, and the run says so wherever its data is named', async () => {
  const learning = async (method: object) => {
    const tasks = { split: 'test', types: ['depth-2'], limit: 5 }
    return planner(true).plan(request({ tasks, method: { id: 'learnact', ...method } }))
  }
  const usual = await learning({})
  const counted = await learning({ test_on_trained: true })
  const [drawn] = counted.learning ?? []
  expect(drawn?.tasks).toHaveLength(3)
  expect(counted.tasks).toEqual(expect.arrayContaining(drawn?.tasks ?? []))
  expect(usual.tasks.filter((task) => usual.learning?.[0]?.tasks.includes(task))).toEqual([])
  expect(usual.request.method).not.toHaveProperty('test_on_trained')
  const named = await learning({ test_on_trained: true, train_ids: counted.tasks.slice(1, 3) })
  expect(named.learning?.[0]?.tasks).toEqual(counted.tasks.slice(1, 3))
  await expect(learning({ train_ids: counted.tasks.slice(1, 3) })).rejects.toMatchObject({
    message: expect.stringContaining('test_on_trained'),
  })
  const notices = [usual, counted].map(({ provenance = unknownProvenance }) => provenanceNotice(provenance))
  expect(notices[1]).toBe(
    `${notices[0]} Warning: tasks that were learned from count in these numbers (test_on_trained).`,
  )
})

test('a plan records its tasks and the version of the scorer, and an extended run keeps both', async () => {
  const scored = definitions.map((each) => (each.id === 'textcraft' ? { ...each, scorer: 2 } : each))
  const own = createRunPlanner({
    methods: openMethods(),
    environments: openEnvironments(scored, null),
    isPriced: () => true,
  })
  const planned = await own.plan(request({ tasks: { split: 'test', limit: 3 } }))
  const record = { scorer: '2', tasks: digestTasks(planned.tasks) }
  expect(planned.resolved).toMatchObject(record)
  const extended = own.extend(planned, { method: { iterations: 16 } })
  expect(extended.resolved).toMatchObject(record)
})
