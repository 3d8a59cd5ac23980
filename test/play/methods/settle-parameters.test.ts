import { expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { ChosenPreset } from '../../../shared/core/contracts/preset.ts'
import { describeHorizon } from '../../../shared/core/contracts/resolved-defaults.ts'
import { type RunRequest, runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { rolloutDepth } from '../../../shared/play/methods/mcts/rollouts.ts'
import { builtinMethods, openMethods } from '../../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../../shared/play/methods/plan-run.ts'
import { settleParameters } from '../../../shared/play/methods/settle-parameters.ts'
import { expandPreset } from '../../../shared/play/presets/expand-preset.ts'

const eightSteps = { environment: { id: 'any', default_max_steps: 8 }, tasks: [{}, {}] }
const byTask = {
  environment: { id: 'any', default_max_steps: 30 },
  tasks: [{ max_steps: 100 }, { max_steps: 10 }, {}],
}
const settle = (id: string, given: JsonObject, played = eightSteps as typeof byTask) =>
  settleParameters(openMethods().find(id), given, played)

test.each(
  builtinMethods
    .filter(({ id }) => id !== 'code-as-policy')
    .flatMap(({ id }) =>
      id === 'mcts'
        ? [
            [id, {}],
            [id, { value: 'judge' }],
          ]
        : [[id, {}]],
    ) as [string, JsonObject][],
)(
  '%s %j plays no longer than the environment states, and each task no longer than it states',
  (id, given) => {
    expect(settle(id, given).resolved.horizon).toMatchObject({ least: 8, most: 8, from: 'environment' })
    expect(settle(id, given, byTask).resolved.horizon).toMatchObject({ least: 10, most: 100, from: 'task' })
  },
)

test('rollouts end at the longest trajectory: a leaf lies one action below the depth', () => {
  expect(settle('mcts', {}).parameters.max_depth).toBe(7)
  expect(settle('mcts', {}, byTask).parameters.max_depth).toBeNull()
  expect(rolloutDepth(null, 10)).toBe(9)
  expect(settle('mcts', { max_depth: 20 }).resolved.horizon).toEqual({
    parameter: 'max_depth',
    least: 21,
    most: 21,
    from: 'request',
  })
})

test('a run that was made before horizons were recorded keeps the one that it had', () => {
  expect(rolloutDepth(undefined, 8)).toBe(20)
  expect(rolloutDepth(undefined, 50)).toBe(50)
})

test('null stands for no value, as if it were not given', () => {
  expect(settle('mcts', { max_depth: null })).toEqual(settle('mcts', {}))
})

test('a program is bounded by what the method states, not by the environment', () => {
  expect(settle('code-as-policy', {}).resolved.horizon).toEqual({
    parameter: 'max_actions',
    least: 200,
    most: 200,
    from: 'method',
  })
})

test.each([
  ['rmcts', {}, { proposals: 20, verdicts: 20, scale: 'rubric' }],
  ['mcts', { value: 'debate', branching: 15 }, { proposals: 30, verdicts: 3, scale: 'debate' }],
  ['best-first', { value: 'reward', proposals: 4 }, {}],
  ['best-of-n', { attempts: 3, verdicts: 5 }, { parallel: 3, scale: 'rubric' }],
  ['react', {}, {}],
] as [string, JsonObject, JsonObject][])(
  '%s %j records what the parameters come to that it leaves open',
  (id, given, parameters) => {
    expect(settle(id, given).resolved.parameters).toEqual(parameters)
  },
)

test('the parameters that are settled are taken again as they are', () => {
  for (const method of builtinMethods) {
    const { parameters } = settle(method.id, {})
    expect(settle(method.id, parameters).parameters).toEqual(parameters)
  }
})

test('a run that is extended keeps what was settled, and takes what it is given more of', async () => {
  const environments = openEnvironments(definitions, null)
  const planner = createRunPlanner({ methods: openMethods(), environments, isPriced: () => true })
  const plan = (method: JsonObject) =>
    planner.plan(
      runRequestSchema.parse({ environment: 'textcraft', method, model: { endpoint: 'test', id: 'test' } }),
    )
  const react = await plan({ id: 'react' })
  const longer = planner.extend(react, { method: { max_steps: 30 } })
  expect(react.resolved?.horizon).toMatchObject({ most: 20, from: 'environment' })
  expect(longer.resolved?.horizon).toEqual({ parameter: 'max_steps', least: 30, most: 30, from: 'request' })
  const rollouts = await plan({ id: 'mcts' })
  const grown = planner.extend(rollouts, { method: { iterations: 16 } })
  expect(grown.resolved).toEqual(rollouts.resolved)
  expect(grown.request.method).toEqual({ ...rollouts.request.method, iterations: 16 })
  const { max_depth: _, ...before } = rollouts.request.method
  const old = { request: { ...rollouts.request, method: before as typeof rollouts.request.method } }
  const extendedOld = planner.extend(old, { method: { iterations: 16 } })
  expect(extendedOld.request.method).not.toHaveProperty('max_depth')
  expect(extendedOld).not.toHaveProperty('resolved')
})

test('a run with a preset that is extended says among its deviations what is no longer as the preset has it', async () => {
  const environments = openEnvironments(definitions, null)
  const planner = createRunPlanner({ methods: openMethods(), environments, isPriced: () => true })
  const body = { preset: 'agent-r', environment: 'textcraft', model: { endpoint: 'test', id: 'test' } }
  const run = await planner.plan(runRequestSchema.parse(expandPreset(body)))
  const deviationsOf = ({ request }: { request: RunRequest }) => (request.preset as ChosenPreset).deviations
  const more = planner.extend(run, { method: { iterations: 16 } })
  expect(deviationsOf(more)).toEqual([
    'method.iterations is 16 since the run was extended; it was 8.',
    ...deviationsOf(run),
  ])
  expect(deviationsOf(planner.extend(more, { method: { iterations: 16 } }))).toEqual(deviationsOf(more))
})

test('a horizon in words names its parameter and what decides it', () => {
  const horizon = { parameter: 'max_steps', least: 10, most: 100, from: 'task' } as const
  expect(describeHorizon(horizon)).toBe('10-100 actions (max_steps), by task')
  expect(describeHorizon({ ...horizon, least: 1, most: 1, from: 'environment' })).toBe(
    "1 action (max_steps), the environment's default",
  )
})
