import { expect, test } from 'vitest'
import { runRequestSchema } from '../../shared/contracts/run.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { openEnvironments } from '../../shared/environments/open-environments.ts'
import { createRunPlanner } from '../../shared/methods/plan-run.ts'

const request = (more: object) =>
  runRequestSchema.parse({
    environment: 'textcraft',
    method: { id: 'mcts' },
    model: { endpoint: 'test', id: 'test' },
    ...more,
  })
const environments = openEnvironments(definitions, null)
const planner = (priced: boolean) => createRunPlanner({ environments, isPriced: () => priced })

test("a plan fills in the method's defaults, which are the paper's", async () => {
  const { request: planned, tasks } = await planner(true).plan(
    request({ tasks: { split: 'test', limit: 3 } }),
  )
  expect(planned.method).toEqual({ id: 'mcts', iterations: 8, samples: 4, max_depth: 20, exploration: 0.25 })
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
  [{ limits: { cost: 1 } }, 'unpriced_endpoint', 'limits.cost'],
  [{ episode_limits: { cost: 1 } }, 'unpriced_endpoint', 'episode_limits.cost'],
])('%j is refused as %s', async (more, code, param) => {
  await expect(planner(false).plan(request(more))).rejects.toMatchObject({ code, param })
})
