import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeEnvironment } from '../../functions/api/open-catalogue.ts'
import { type Run, runRequestSchema } from '../../shared/core/contracts/run.ts'
import { toRequestRecord } from '../../shared/core/engine/request-digest.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { parseEnvironmentOptions } from '../../shared/environments/environment-options.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { openEnvironments } from '../../shared/environments/open-environments.ts'
import { differingSettings } from '../../shared/insight/reports/differing-settings.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../shared/play/methods/plan-run.ts'
import { openTable } from '../containers/env-host/open-table.ts'
import { createHashModel } from '../support/hash-model.ts'
import { openInProcessHosts } from '../support/in-process-hosts.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { journalRecords, playOnce, treeOf } from '../support/play-once.ts'
import { createTestEnvironment } from '../support/test-environment.ts'

/** An environment that greets as its options say. */
const polite: EnvironmentDefinition = {
  id: 'polite',
  options: z.strictObject({
    greeting: z.enum(['hello', 'goodbye']).default('hello'),
    times: z.int().min(1).max(3).default(1),
  }),
  open: async (_pack, options) =>
    createTestEnvironment(
      {
        reset: () => ({ state: {}, observation: JSON.stringify(options) }),
        step: (state) => ({ state, observation: 'done', reward: 1, done: true }),
      },
      { id: 'polite' },
    ),
}
const plain: EnvironmentDefinition = { ...polite, id: 'plain' }
Reflect.deleteProperty(plain, 'options')

const environments = openEnvironments([polite, plain], null)
const planner = createRunPlanner({ methods: openMethods(), environments, isPriced: () => true })
const plan = async (more: object) =>
  (
    await planner.plan(
      runRequestSchema.parse({
        environment: 'polite',
        method: { id: 'react' },
        model: { endpoint: 'test', id: 'test' },
        ...more,
      }),
    )
  ).request

const startOf = async (options?: Record<string, string | number>) => {
  const { environment } = await environments.open('polite', undefined, options)
  if (!('open' in environment)) throw new Error('It is pure.')
  return (await environment.open('task')).reset('task', 0).observation
}

describe('options of an environment', () => {
  test('reach its rules with their defaults, and open it once for each choice of them', async () => {
    expect(await startOf()).toBe('{"greeting":"hello","times":1}')
    expect(await startOf({ times: 2 })).toBe('{"greeting":"hello","times":2}')
    expect(await startOf({ times: 3, greeting: 'goodbye' })).toBe('{"greeting":"goodbye","times":3}')
    const same = [
      await environments.open('polite'),
      await environments.open('polite', 'builtin', { greeting: 'hello' }),
    ]
    expect(same[0]?.environment).toBe(same[1]?.environment)
  })

  test.each([
    ['polite', { greetings: 'hello' }, 'unknown_field', 'environment_options.greetings'],
    ['polite', { greeting: 'hi' }, 'invalid_request', 'environment_options.greeting'],
    ['plain', { greeting: 'hello' }, 'invalid_request', 'environment_options.greeting'],
  ])('of %s: %j is refused as %s', async (environment, environment_options, code, param) => {
    await expect(plan({ environment, environment_options })).rejects.toMatchObject({ code, param })
  })

  test('are recorded with the run, all of them, and only where there are some', async () => {
    expect((await plan({ environment_options: { times: 2 } })).environment_options).toEqual({
      greeting: 'hello',
      times: 2,
    })
    expect((await plan({})).environment_options).toEqual({ greeting: 'hello', times: 1 })
    expect(await plan({ environment: 'plain' })).not.toHaveProperty('environment_options')
  })

  test('are among what runs are compared by', async () => {
    const requests = [await plan({}), await plan({ environment_options: { times: 3 } })]
    const runs = requests.map((request) => ({ request })) as unknown as Pick<Run, 'request'>[]
    expect(differingSettings(runs)).toEqual([{ field: 'environment_options.times', values: [1, 3] }])
  })

  test('are in the catalogue as a JSON Schema', async () => {
    expect(describeEnvironment(await environments.open('plain')).options).toBeNull()
    expect(describeEnvironment(await environments.open('polite')).options).toMatchObject({
      properties: { greeting: { default: 'hello' }, times: { maximum: 3 } },
    })
  })

  test.each(definitions.filter(({ options }) => options !== undefined).map((each) => [each.id, each]))(
    'of %s each have a default and a description',
    (_id, definition) => {
      const { properties } = z.toJSONSchema(definition.options as z.ZodType) as {
        properties: Record<string, { description?: string }>
      }
      expect(Object.keys(parseEnvironmentOptions(definition))).toEqual(Object.keys(properties))
      for (const { description } of Object.values(properties)) expect(description).toMatch(/\.$/)
    },
  )
})

describe('options on a host', () => {
  test('are checked there, and held by the session', async () => {
    const { table } = await openTable({ definitions: [polite, plain] })
    onTestFinished(() => table.stop())
    const task = { environment: 'polite', task: 'task', seed: 0, token: 1 }
    const { id, observation } = await table.create({ ...task, options: { times: 2 } })
    expect(observation).toBe('{"greeting":"hello","times":2}')
    expect((await table.restore(id, { token: 1 })).observation).toBe(observation)
    await expect(table.create({ ...task, id })).rejects.toMatchObject({ code: 'conflict' })
    await expect(table.create({ ...task, options: { times: 9 } })).rejects.toMatchObject({
      param: 'environment_options.times',
    })
    await expect(
      table.create({ ...task, environment: 'plain', options: { times: 2 } }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test.each([
    [undefined, { task: 'task', seed: 0 }],
    [{ times: 2 }, { task: 'task', seed: 0, options: { times: 2 } }],
  ])('given as %j are part of the reset that the journal holds', async (options, settings) => {
    const world = await openTestWorld()
    const environment = createTestEnvironment({
      reset: () => ({ state: {}, observation: 'start' }),
      step: (state) => ({ state, observation: 'done', reward: 1, done: true }),
    })
    const hosts = openInProcessHosts({ world, environment, definition: { ...polite, id: environment.id } })
    await hosts.add('host-1')
    const played = {
      world,
      environment,
      hosting: 'host' as const,
      sessions: hosts.sessions,
      model: createHashModel(),
      method: { id: 'react', max_steps: 1 },
      ...(options && { request: { environment_options: options } }),
    }
    expect((await playOnce(played)).outcome).toEqual({ type: 'ended', limit: null })
    const [opening] = (await journalRecords(played)).filter((record) => 'effect' in record)
    expect(opening).toMatchObject({ effect: 'session/open', request: toRequestRecord({ settings }).request })
    expect((await treeOf(played)).messages.at(-1)?.content).toContain(options ? '"times":2' : '"times":1')
  })
})
