import { expect, test } from 'vitest'
import { runRequestSchema } from '../../shared/contracts/run.ts'
import { findEnvironment } from '../../shared/environments/environments.ts'
import { selectTasks } from '../../shared/environments/select-tasks.ts'
import { createRunPlanner } from '../../shared/methods/plan-run.ts'

const request = (more: object) =>
  runRequestSchema.parse({
    environment: 'textcraft',
    method: { id: 'mcts' },
    model: { endpoint: 'test', id: 'test' },
    ...more,
  })
const planner = (priced: boolean) =>
  createRunPlanner({ findEnvironment, selectTasks, isPriced: () => priced })

test("a plan fills in the method's defaults, which are the paper's", () => {
  const { request: planned, tasks } = planner(true).plan(request({ tasks: { split: 'test', limit: 3 } }))
  expect(planned.method).toEqual({ id: 'mcts', iterations: 8, samples: 4, max_depth: 20, exploration: 0.25 })
  expect(tasks).toHaveLength(3)
})

test("react's longest trajectory is the environment's unless said otherwise", () => {
  const longest = (method: object) => planner(true).plan(request({ method })).request.method.max_steps
  expect(longest({ id: 'react' })).toBe(20)
  expect(longest({ id: 'react', max_steps: 5 })).toBe(5)
})

test.each([
  [{ method: { id: 'mcst' } }, 'unknown_method', 'method.id'],
  [{ method: { id: 'mcts', iterations: 0 } }, 'invalid_request', 'method.iterations'],
  [{ method: { id: 'mcts', iteration: 4 } }, 'unknown_field', 'method.iteration'],
  [{ limits: { cost: 1 } }, 'unpriced_endpoint', 'limits.cost'],
  [{ episode_limits: { cost: 1 } }, 'unpriced_endpoint', 'episode_limits.cost'],
])('%j is refused as %s', (more, code, param) => {
  expect(() => planner(false).plan(request(more))).toThrow(expect.objectContaining({ code, param }))
})
