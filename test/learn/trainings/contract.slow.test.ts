import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { TrainerState } from '../../../shared/learn/trainings/trainer.ts'
import { type DriverName, lawsOf, openDriver } from './drivers.ts'

const drivers: DriverName[] = ['local', 'command with a file', 'command that prints', 'openai', 'aws']
const hasEnded = ({ state }: TrainerState) => state !== 'running'
const steps = ({ points }: TrainerState) => points.map(({ step }) => step)
const allSteps = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

describe.each(drivers)('the trainer of the driver %s', (name) => {
  const { givesFiles, isOurs, resumesJobs } = lawsOf(name)

  test('takes a job that it can do, and names the field of one that it cannot', async () => {
    const { trainer, job } = await openDriver(name, 'runs')
    expect(await trainer().check(job)).toEqual([])
    await expect(trainer().check({ ...job, base: { folder: '/nowhere' } })).rejects.toMatchObject({
      param: 'base.folder',
    })
  })

  test('knows nothing of a job that was never started', async () => {
    const { trainer, job } = await openDriver(name, 'runs')
    expect(await trainer().look(job)).toMatchObject({ state: 'absent', points: [], usage: { starts: 0 } })
  })

  test('does a job, and gives out its model', async () => {
    const { trainer, job, until } = await openDriver(name, 'runs')
    await trainer().start(job)
    const state = await until(hasEnded)
    expect(state).toMatchObject({ state: 'succeeded', error: null, usage: { starts: 1 } })
    expect(steps(state)).toEqual(allSteps)
    expect(state.points.at(-1)).toMatchObject({ loss: 0.1, tokens: 100 })
    const model = await trainer().collect(job)
    if (!givesFiles) {
      // The service keeps the model and its checkpoints, and names them.
      expect(state.remoteCheckpoints?.map(({ step }) => step)).toEqual([5, 10])
      expect(model).toMatchObject({
        format: 'remote',
        files: [],
        remote: expect.stringMatching(/^ft:small-model:/),
      })
      return
    }
    // Of those elsewhere the newest are fetched, as many as are kept; what a trainer needs to go on stays there.
    expect(state.checkpoints.map(({ step }) => step)).toEqual(isOurs ? [2, 4, 6, 8, 10] : [6, 8, 10])
    const last = state.checkpoints.at(-1)
    expect(last?.names).toContain('model.safetensors')
    expect(last?.optimizer.includes('optimizer.pt')).toBe(isOurs)
    expect(model).toMatchObject({ format: 'safetensors', remote: null })
    expect(model.files.map((file) => file.name).toSorted()).toEqual(['config.json', 'model.safetensors'])
    const weights = model.files.find((file) => file.name === 'model.safetensors')
    expect(await readFile(weights?.path ?? '', 'utf8')).toBe('trained weights')
  })

  test('does a job once that is started twice', async () => {
    const { trainer, job, until } = await openDriver(name, 'waits')
    await trainer().start(job)
    await until(({ progress }) => progress.step === 5)
    await trainer().start(job)
    expect(await trainer().look(job)).toMatchObject({ state: 'running', usage: { starts: 1 } })
  })

  test('starts a job once for two looks that find it absent at the same time', async () => {
    const { trainer, job, until } = await openDriver(name, 'waits')
    await Promise.all([trainer().start(job), trainer().start(job)])
    expect(await trainer().look(job)).toMatchObject({ state: 'running' })
    const state = await until(({ progress }) => progress.step === 5)
    expect(state.usage.starts).toBe(1)
  })

  test('stops at a checkpoint when asked, and goes on from there', async () => {
    const { trainer, job, until } = await openDriver(name, 'waits')
    await trainer().start(job)
    await until(({ progress }) => progress.step === 5)
    await trainer().stop(job, { atOnce: false })
    const stopped = await until(hasEnded)
    expect(stopped.state).toBe('stopped')
    if (givesFiles) expect(stopped.checkpoints.length).toBeGreaterThan(0)
    await trainer().start({ ...job, used: stopped.usage, seed: 0 })
    const state = await until(hasEnded)
    expect(state).toMatchObject({ state: 'succeeded', usage: { starts: resumesJobs ? 1 : 2 } })
    expect(steps(state)).toEqual(allSteps)
    expect(state.usage.seconds).toBeGreaterThan(stopped.usage.seconds)
  })

  test('goes on after the service was killed, with no step twice', async () => {
    const { trainer, job, until, reopen, proceed } = await openDriver(name, 'waits')
    await trainer().start(job)
    const before = await until(
      ({ checkpoints, progress }) => (checkpoints.length === 2 || !isOurs) && progress.step === 5,
    )
    await trainer().close()
    reopen()
    const after = await trainer().look(job)
    // What trains elsewhere has trained on meanwhile.
    expect(after).toMatchObject({ state: isOurs ? 'absent' : 'running', usage: { starts: 1 } })
    expect(steps(after)).toEqual([1, 2, 3, 4, 5])
    proceed()
    await trainer().start({ ...job, used: before.usage, seed: 0 })
    const state = await until(hasEnded)
    expect(state).toMatchObject({ state: 'succeeded', usage: { starts: isOurs ? 2 : 1 } })
    expect(steps(state)).toEqual(allSteps)
  })

  test('takes a stored checkpoint where its folder is gone, if checkpoints are files', async () => {
    const { trainer, job, until } = await openDriver(name, 'runs')
    const { restore } = trainer()
    expect(restore !== undefined).toBe(isOurs)
    if (restore === undefined) return
    await restore(job, 6, async (folder) => {
      const { writeFile } = await import('node:fs/promises')
      await writeFile(`${folder}/model.safetensors`, 'weights at 6')
      await writeFile(`${folder}/espalier.json`, '{"step": 6}')
      return ['model.safetensors', 'espalier.json']
    })
    await trainer().start({ ...job, used: { seconds: 7, starts: 1 } })
    const state = await until(hasEnded)
    expect(steps(state)).toEqual([7, 8, 9, 10])
    expect(state).toMatchObject({ state: 'succeeded', usage: { starts: 2 } })
    expect(state.usage.seconds).toBeGreaterThan(7)
  })

  test('leaves at once when it must, and keeps nothing of a job that is released', async () => {
    const { trainer, job, until } = await openDriver(name, 'waits')
    await trainer().start(job)
    await until(({ progress }) => progress.step === 5)
    await trainer().stop(job, { atOnce: true })
    expect((await trainer().look(job)).state).not.toBe('running')
    await trainer().release(job.training)
    await trainer().release(job.training)
    const released = await trainer().look(job)
    // A service lists what it did for as long as it likes.
    if (isOurs) expect(released).toMatchObject({ state: 'absent', points: [], checkpoints: [] })
    else expect(released.state).toBe('cancelled')
  })
})
