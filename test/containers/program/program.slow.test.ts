import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ServedEnvironments } from '../../../containers/env-host/served-environments.ts'
import { SessionTable } from '../../../containers/env-host/session-table.ts'
import { serveDescribedProgram } from '../../../containers/program/serve-program.ts'
import { codeOf } from '../env-host/code-of.ts'

const script = fileURLToPath(new URL('scripted-program.mjs', import.meta.url))
const task = { environment: 'scripted', task: 'one', seed: 0, token: 1 }

async function openProgram({ sessions = 1, answerWithin = 60, spare = 1 } = {}) {
  const logged: string[] = []
  const served = await serveDescribedProgram({
    command: [process.execPath, script, String(sessions)],
    answerWithin,
    within: { reset: 60 },
    spare,
    log: (_level, event) => logged.push(event),
  })
  const environments = new ServedEnvironments([served])
  onTestFinished(() => environments.stop())
  const clock = { now: 0 }
  const table = new SessionTable({ environments, slots: 10, sessionIdle: 60, now: () => clock.now })
  return { clock, logged, table }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const processOf = (observation: string) => observation.split(' in ')[1]

describe('a program behind a host', () => {
  test('is played, and lists what is possible', async () => {
    const { table } = await openProgram()
    const { id, observation } = await table.create({ ...task, files: { 'game.txt': 'a game' } })
    expect(observation).toMatch(/^one game\.txt in \d+$/)
    const { path, ...answer } = await table.step(id, {
      action: 'count',
      step_index: 0,
      token: 1,
      snapshot: true,
    })
    expect(answer).toEqual({
      object: 'session.step',
      session: id,
      step_index: 0,
      observation: 'count 1 of 1',
      reward: 0,
      done: false,
      valid: true,
      progress: 0,
      state_hash: null,
    })
    expect(await table.validActions(id, 1)).toEqual(['count', 'win'])
    expect(
      await table
        .step(id, { action: 'count', step_index: 0, token: 1, from: 'elsewhere' })
        .catch(() => 'refused'),
    ).toBe('refused')
    const won = await table.step(id, { action: 'win', step_index: 1, token: 1, from: path })
    expect(won).toMatchObject({ reward: 1, done: true, progress: 1 })
  })

  test('that a session ends, hangs or fills takes others along once, and blames none of them', async () => {
    const { table } = await openProgram({ sessions: 10 })
    const open = (id: string, token = 1) => table.create({ ...task, id, token })
    const step = (id: string, action: string, token = 1) =>
      table.step(id, { action, step_index: 0, token }).catch((error: Error) => error)
    const [faulty, other] = [await open('faulty'), await open('other')]
    expect(processOf(other.observation)).toBe(processOf(faulty.observation))
    const lost = await Promise.all([step('faulty', 'blame'), step('other', 'count')])
    expect(lost).toMatchObject([{ code: 'unknown_session' }, { code: 'unknown_session' }])
    for (const error of lost) {
      expect(String(error)).toContain('Several sessions shared it')
      expect(String(error)).not.toContain('my fault')
    }
    for (let token = 2; token < 5; token += 1) {
      const [mine, its] = [await open('other', token), await open('faulty', token)]
      expect(processOf(mine.observation)).not.toBe(processOf(its.observation))
      const [own, ended] = [await step('other', 'count', token), await step('faulty', 'blame', token)]
      expect(own).toMatchObject({ observation: 'count 1 of 1' })
      expect(String(ended)).toMatch(/ended with code 3 \(my fault\)/)
    }
  })

  test('has its best progress kept', async () => {
    const { table } = await openProgram()
    const { id } = await table.create(task)
    const progress = []
    for (const [step_index, action] of ['half', 'back', 'win'].entries()) {
      progress.push((await table.step(id, { action, step_index, token: 1 })).progress)
    }
    expect(progress).toEqual([0.5, 0.5, 1])
  })

  test('can be started again, and cannot be copied', async () => {
    const { table } = await openProgram()
    const opened = await table.create(task)
    await table.step(opened.id, { action: 'half', step_index: 0, token: 1 })
    expect(await codeOf(() => table.snapshot(opened.id, 1))).toBe('not_supported')
    expect(await codeOf(() => table.fork(opened.id, { token: 1, fork: { token: 1 } }))).toBe('not_supported')
    expect(table.health().sessions).toBe(1)
    expect(await table.restore(opened.id, { token: 1 })).toEqual(opened)
    expect(await table.step(opened.id, { action: 'count', step_index: 0, token: 1 })).toMatchObject({
      observation: 'count 1 of 1',
      progress: 0,
    })
  })

  test('goes on in its process when another task takes the place of its session', async () => {
    const { table } = await openProgram()
    const opened = await table.create({ ...task, id: 'held' })
    const next = await table.create({ ...task, id: 'held', seed: 1, token: 2 })
    expect(processOf(next.observation)).toBe(processOf(opened.observation))
    expect(await table.step('held', { action: 'count', step_index: 0, token: 2 })).toMatchObject({
      observation: 'count 1 of 1',
    })
    expect(table.health().sessions).toBe(1)
  })

  test('holds one session a process, and a process is used again', async () => {
    // However many others are ready by then, one that is given back is kept.
    const { table } = await openProgram({ spare: 10 })
    const [one, two] = await Promise.all([table.create(task), table.create(task)])
    expect(processOf(one.observation)).not.toBe(processOf(two.observation))
    await table.close(one.id, 1)
    const known = [processOf(one.observation)]
    const next = [await table.create(task), await table.create(task)]
    expect(next.map(({ observation }) => processOf(observation))).toEqual(expect.arrayContaining(known))
  })

  test('has a process for each session, however many are opened at once', async () => {
    const { table } = await openProgram()
    const opened = await Promise.all(Array.from({ length: 6 }, () => table.create(task)))
    expect(new Set(opened.map(({ observation }) => processOf(observation))).size).toBe(6)
  })

  test('ends when its host leaves, and no other is started', async () => {
    const { table } = await openProgram()
    const { observation } = await table.create(task)
    const pid = Number(processOf(observation))
    expect(process.kill(pid, 0)).toBe(true)
    table.drain()
    await table.stop()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(table.health().sessions).toBe(0)
    expect(await codeOf(() => table.environments.open('scripted', task))).toBe('host_draining')
  })

  test('holds as many sessions in a process as it says', async () => {
    const { table } = await openProgram({ sessions: 3 })
    const opened = await Promise.all([1, 2, 3].map(() => table.create(task)))
    expect(new Set(opened.map(({ observation }) => processOf(observation))).size).toBe(1)
    const { observation } = await table.step(opened[0]?.id ?? '', {
      action: 'count',
      step_index: 0,
      token: 1,
    })
    expect(observation).toBe('count 1 of 3')
  })

  test('that ends takes its session along, and no other; the host opens new ones', async () => {
    const { table, logged } = await openProgram()
    const one = await table.create(task)
    const two = await table.create(task)
    const dying = () => table.step(one.id, { action: 'die', step_index: 0, token: 1 })
    await expect(dying()).rejects.toMatchObject({
      code: 'unknown_session',
      message: expect.stringContaining('code 3'),
    })
    expect(await codeOf(dying)).toBe('unknown_session')
    expect((await table.step(two.id, { action: 'count', step_index: 0, token: 1 })).step_index).toBe(0)
    expect((await table.create(task)).step_index).toBe(0)
    expect(table.health().sessions).toBe(2)
    expect(logged).toContain('program.ended')
  })

  test('that is late is ended', async () => {
    const { table } = await openProgram({ answerWithin: 0.3 })
    const { id } = await table.create(task)
    await expect(table.step(id, { action: 'hang', step_index: 0, token: 1 })).rejects.toMatchObject({
      code: 'unknown_session',
      message: expect.stringContaining('within 0.3 seconds'),
    })
    expect((await table.create(task)).step_index).toBe(0)
  })

  test('that writes what is no JSON, as Python does with NaN, is ended at once and not waited for', async () => {
    const { table } = await openProgram()
    const { id } = await table.create(task)
    await expect(table.step(id, { action: 'nan', step_index: 0, token: 1 })).rejects.toMatchObject({
      code: 'unknown_session',
      message: expect.stringMatching(/no answer.*NaN/),
    })
  })

  test.each([
    ['50 MB on a line', 'flood', 'a line without end'],
    ['garbage', 'garble', 'a line that is no answer'],
    ['nothing', 'hang', 'within 60 seconds'],
  ])('that writes %s is ended, and its neighbour is not', async (_what, action, message) => {
    const { table } = await openProgram()
    const one = await table.create(task)
    const other = await table.create(task)
    const step = (id: string, said: string) => table.step(id, { action: said, step_index: 0, token: 1 })
    if (action === 'hang') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const lost = expect(step(one.id, action)).rejects.toMatchObject({
      code: 'unknown_session',
      message: expect.stringContaining(message),
    })
    if (action === 'hang') await vi.advanceTimersByTimeAsync(60_000)
    await lost
    vi.useRealTimers()
    await expect.poll(() => isRunning(Number(processOf(one.observation)))).toBe(false)
    expect((await step(other.id, 'count')).observation).toBe('count 1 of 1')
  })

  test('is not let go of while it is at work', async () => {
    const { clock, table } = await openProgram({ answerWithin: 0.3 })
    const [busy, idle] = [await table.create(task), await table.create(task)]
    const under = codeOf(() => table.step(busy.id, { action: 'hang', step_index: 0, token: 1 }))
    clock.now = 61_000
    expect(table.reap()).toBe(1)
    expect(await codeOf(() => table.restore(idle.id, { token: 1 }))).toBe('unknown_session')
    expect(table.health().sessions).toBe(1)
    await under
  })

  test('that fails in a step is an error and no answer, and its session is gone', async () => {
    for (const action of ['fail', 'misspeak']) {
      const { table } = await openProgram()
      const { id } = await table.create(task)
      expect(await codeOf(() => table.step(id, { action, step_index: 0, token: 1 }))).toBe('internal')
      expect(await codeOf(() => table.step(id, { action, step_index: 0, token: 1 }))).toBe('unknown_session')
      expect(table.health().sessions).toBe(0)
    }
  })

  test('that knows no such task says so', async () => {
    const { table } = await openProgram()
    expect(await codeOf(() => table.create({ ...task, task: 'three' }))).toBe('unknown_task')
    expect(table.health().sessions).toBe(0)
  })

  test('may print what is no answer', async () => {
    const { table, logged } = await openProgram()
    const { id } = await table.create(task)
    const answer = await table.step(id, { action: 'print', step_index: 0, token: 1 })
    expect(answer.observation).toBe('count 1 of 1')
    expect(logged).toContain('program.printed')
  })

  test('that ends takes along what it started, which is not waited for', async () => {
    const launcher = `require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit' }); process.exit(3)`
    const options = { command: [process.execPath, '-e', launcher], log: () => undefined }
    await expect(serveDescribedProgram(options)).rejects.toMatchObject({ code: 'host_unreachable' })
  })

  test('that cannot be started is an error that names it', async () => {
    const options = { command: ['/nowhere/at-all'], log: () => undefined }
    await expect(serveDescribedProgram(options)).rejects.toThrow('/nowhere/at-all')
  })

  test('takes the steps of one session in their order, though they were sent at once', async () => {
    const { table } = await openProgram()
    const { id } = await table.create(task)
    const answers = await Promise.all(
      [0, 1, 2, 3].map((step_index) => table.step(id, { action: `go ${step_index}`, step_index, token: 1 })),
    )
    expect(answers.map(({ observation }) => observation)).toEqual([1, 2, 3, 4].map((n) => `count ${n} of 1`))
  })
})
