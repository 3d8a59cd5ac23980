import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createHostApp } from '../../../containers/env-host/create-host-app.ts'
import { loadModule } from '../../../shared/environments/added/load-module.ts'
import { type IsolatedEnvironment, isIsolated } from '../../../shared/environments/environment.ts'
import { addressSessions } from '../../../shared/environments/hosts/address-sessions.ts'
import { openCore } from '../../../shared/environments/open-core.ts'
import { validateEnvironment } from '../../../shared/environments/validation/validate-environment.ts'
import { openTable } from '../../containers/env-host/open-table.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, treeOf } from '../../support/play-once.ts'
import { serveApp } from '../../support/serve-app.ts'

const file = fileURLToPath(new URL('../../support/hostile-module.ts', import.meta.url))
/** The shorter time is that of the tasks that loop, and of what is played beside them; all others need little, but a busy machine is slow. */
const short = { step_time_limit: 3, memory_limit_mb: 64 }
const long = { ...short, step_time_limit: 60 }
const limitsOf = (task: string) => (task.startsWith('loops') ? short : long)

async function load(declared: object): Promise<IsolatedEnvironment> {
  const [definition] = await loadModule(file, { hostile: declared })
  const environment = await definition?.open(null)
  if (environment === undefined || !isIsolated(environment)) throw new Error('It should be isolated.')
  return environment
}

/** Kept, so that their processes are started once. */
const [looping, other] = [await load(short), await load(long)]
const environmentOf = (task: string) => (limitsOf(task) === short ? looping : other)

async function options(task: string, environment = environmentOf(task)): Promise<PlayOnceOptions> {
  const world = await openTestWorld()
  return { world, environment, task, model: createHashModel(), method: { id: 'react' }, writer: task }
}

/** As {@link options}, played on a host that serves the same module. */
async function onHost(task: string, declared = limitsOf(task)): Promise<PlayOnceOptions> {
  const definitions = await loadModule(file, { hostile: declared })
  const { table } = await openTable({ definitions })
  const address = await serveApp(createHostApp(table, () => undefined))
  const sessions = addressSessions({ address, environment: 'hostile', withSnapshots: true })
  return { ...(await options(task)), hosting: 'host', sessions }
}

const failure = (message: RegExp, more: object = { code: 'environment_failed' }) => ({
  type: 'failed',
  error: expect.objectContaining({ ...more, message: expect.stringMatching(message) }),
})

const hostileTasks: [string, RegExp, object?][] = [
  ['loops', /^The environment hostile took more than 3 seconds for step 5 of loops, its step_time_limit/],
  [
    'loops-at-reset',
    /took more than 3 seconds for its reset of loops-at-reset, .* declare a larger step_time/,
  ],
  ['loops-at-open', /took more than 3 seconds for its reset of loops-at-open/],
  [
    'grows',
    /^The process of the environment hostile ended at step 5 of grows: .*memory.*memory_limit_mb \(now 64/,
  ],
  ['takes-buffers', /ended at step 5 of takes-buffers: .*MB of memory/],
  ['exits', /ended at step 5 of exits: It exited with code 3/],
  ['throws', /^The dragon is not defined\.$/, { name: 'TypeError' }],
  ['rewards-nothing', /hostile answered step 5 with reward = NaN; it has to be/, { name: 'StepResultError' }],
  ['keeps-a-function', /step 5 with state = state\.say is a function/, { name: 'StepResultError' }],
  ['keeps-a-class', /step 5 with state = state\.place is a Place/, { name: 'StepResultError' }],
]

describe('an environment of a module', () => {
  test.each(hostileTasks)('whose task %s fails ends that episode alone, and says why', async (...row) => {
    const [task, message, more] = row
    const environment = environmentOf(task)
    const bad = await options(task)
    const beside = await Promise.all([options('fine', environment), options('fine', environment)])
    let turns = 0
    const watch = setInterval(() => {
      turns += 1
    }, 5)
    const [outcome, ...others] = await Promise.all([bad, ...beside].map((each) => playOnce(each)))
    clearInterval(watch)
    expect(outcome?.outcome).toMatchObject(failure(message, more))
    for (const each of others) expect(each.outcome).toEqual({ type: 'ended', limit: null })
    // This thread went on meanwhile, for the seconds that the task looped.
    if (task.startsWith('loops')) expect(turns).toBeGreaterThan(5)
  })

  test('on a host ends an episode in the same way, and those beside it go on', async () => {
    const played = await onHost('loops')
    const beside = {
      ...(await options('fine')),
      hosting: 'host' as const,
      sessions: played.sessions as never,
    }
    const [failed, fine] = await Promise.all([playOnce(played), playOnce(beside)])
    expect(failed.outcome).toMatchObject(failure(/hostile took more than 3 seconds for a step of loops/))
    expect(fine.outcome).toEqual({ type: 'ended', limit: null })
    expect((await playOnce({ ...played, ...(await options('loops-at-reset')) })).outcome).toMatchObject(
      failure(/took more than 3 seconds for its reset of loops-at-reset/),
    )
  })

  test('on a host an error of its rules is that of the step, and its session is not opened again', async () => {
    const played = await onHost('throws')
    expect((await playOnce(played)).outcome).toMatchObject(
      failure(/^The environment hostile failed: TypeError: The dragon is not defined/),
    )
  })

  test('keeps what a value has that is no JSON, and does not see what its rules change of an argument', async () => {
    for (const task of ['keeps-odd-values', 'changes-its-argument']) {
      const played = await options(task)
      expect((await playOnce(played)).outcome).toEqual({ type: 'ended', limit: null })
      expect((await treeOf(played)).nodes.at(-1)).toMatchObject({ reward: 1 })
    }
  })

  test('that is called off ends with its process, and the next call has another', async () => {
    const core = other.isolate('loops-at-reset')
    const controller = new AbortController()
    const looping = core.reset(0, { caller: 'a', step: 0, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('The worker leaves.')), 20)
    await expect(looping).rejects.toThrow('The worker leaves.')
    const fine = await openCore(other, 'fine', 'a')
    expect(await fine.reset(7)).toEqual({
      state: { count: 0, seed: 7 },
      observation: 'You begin with 7.',
    })
  })

  test('declares its limits itself, and environments.json above it', async () => {
    const [definition] = await loadModule(file)
    expect(await definition?.open(null)).toMatchObject({ step_time_limit: 30, memory_limit_mb: 512 })
    expect(await load({ step_time_limit: 45 })).toMatchObject({ step_time_limit: 45, memory_limit_mb: 512 })
  })

  test('is validated in the same way, with the same errors', async () => {
    const only = (id: string) => ({
      ...environmentOf(id),
      tasks: () => other.tasks().filter((task) => task.id === id),
    })
    const found = async (id: string) => {
      const report = await validateEnvironment(only(id), { steps: 7 })
      return Object.fromEntries(report.checks.map(({ id, status, reason }) => [id, `${status} ${reason}`]))
    }
    expect(await found('loops')).toMatchObject({
      steps: expect.stringMatching(/^failed EspalierError: .*took more than 3 seconds for a step of loops/),
    })
    expect(await found('rewards-nothing')).toMatchObject({ answers: expect.stringMatching(/^failed .*NaN/) })
    expect(await found('changes-its-argument')).toMatchObject({
      arguments: expect.stringMatching(/^failed The step changed the state/),
    })
    expect(await found('fine')).toMatchObject({ arguments: 'passed null', determinism: 'passed null' })
  })
})
