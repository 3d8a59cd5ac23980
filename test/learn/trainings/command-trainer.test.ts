import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { TrainerState } from '../../../shared/learn/trainings/trainer.ts'
import { openCommand } from './drivers.ts'

const hasEnded = ({ state }: TrainerState) => state !== 'running'

async function run(behaviour: string, more: object = {}) {
  const opened = await openCommand(behaviour, more)
  await opened.trainer().start(opened.job)
  return { ...opened, state: await opened.until(hasEnded) }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

describe('a command', () => {
  test('finds the job in a file, and its data unpacked', async () => {
    const { folder, state } = await run('runs')
    expect(state.tail[0]).toBe('2 rows, from the beginning')
    expect(state.rows).toMatchObject({ total: 2, tokens: null, by_dataset: [{ rows: 2, used: 2 }] })
    expect(JSON.parse(await readFile(join(folder, 'job.json'), 'utf8'))).toMatchObject({
      recipe: 'sft',
      hyperparameters: { epochs: 3, learning_rate: 2e-5 },
      lora: null,
      checkpoint_steps: 2,
      output: join(folder, 'output'),
      resume_from: null,
      data: [{ dataset: 'dataset-1', rows: 2, files: [join(folder, 'data', '1-data-00001.jsonl')] }],
    })
  })

  test('sees the variables of its configuration, and none of the service’s', async () => {
    vi.stubEnv('ESPALIER_TEST_SECRET', 'of the service')
    expect((await run('runs')).state.tail).toContain('secret: none')
    vi.unstubAllEnvs()
    const given = await run('runs', { environment: { ESPALIER_TEST_SECRET: 'given' } })
    expect(given.state.tail).toContain('secret: given')
  })

  test.each([
    ['exits', 'trainer_failed', 'code 3.', 'the data does not please me'],
    ['full', 'disk_full', 'the disk is full', 'Errno 28'],
    ['memory', 'out_of_memory', 'ran out of memory', 'CUDA out of memory'],
    ['loses', 'not_finite', 'not finite at step 3', 'from the beginning'],
    ['empty', 'trainer_failed', 'left no model in', 'from the beginning'],
  ])('that %s has failed as %s, with its last lines', async (behaviour, reason, words, line) => {
    const { state, trainer, job } = await run(behaviour)
    expect(state).toMatchObject({
      state: 'failed',
      error: { reason, message: expect.stringContaining(words) },
    })
    expect(state.error?.message).toContain(line)
    await expect(trainer().collect(job)).rejects.toThrow('left no model')
  })

  test('that is not there is refused before anything is begun', async () => {
    const { trainer, job } = await openCommand('runs', { command: 'no-such-trainer' })
    await expect(trainer().check(job)).rejects.toMatchObject({ code: 'not_supported', param: 'trainer' })
  })

  test('that does not hear SIGTERM is killed after the grace', async () => {
    const { trainer, job, until } = await openCommand('deaf', { stop_grace: 0.2 })
    await trainer().start(job)
    await until(({ progress }) => progress.step === 5)
    await trainer().stop(job, { atOnce: false })
    expect((await until(hasEnded)).state).toBe('stopped')
  })

  test('that cannot resume begins anew, with nothing left of its earlier start', async () => {
    const { trainer, job, until, reopen } = await openCommand('waits', { resumes: false })
    await trainer().start(job)
    await until(({ progress }) => progress.step === 5)
    await trainer().close()
    reopen()
    await trainer().start(job)
    const again = await until(
      ({ usage, progress, tail }) => usage.starts === 2 && progress.step === 5 && tail.length === 4,
    )
    expect(again.tail.filter((line) => line.endsWith('from the beginning'))).toHaveLength(2)
    expect(again.points.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5])
  })

  test('that an earlier service left is ended before it is started again', async () => {
    const { trainer, job, until, reopen, folder } = await openCommand('waits')
    await trainer().start(job)
    await until(({ progress }) => progress.step === 5)
    const { pid } = JSON.parse(await readFile(join(folder, 'process.json'), 'utf8'))
    reopen()
    expect((await trainer().look(job)).state).toBe('absent')
    // Killed, it is there until its parent, this process, has heard of it.
    await expect.poll(() => isThere(pid)).toBe(false)
  })
})
