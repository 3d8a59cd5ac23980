import { afterEach, describe, expect, test } from 'vitest'
import { episodeId } from '../../shared/core/contracts/episode.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import { objectKeys } from '../../shared/core/engine/keys.ts'
import { readJournal } from '../../shared/core/engine/read-journal.ts'
import { noFaults } from './emulators/fault-proxy.ts'
import { asTenant } from './lambda/as-tenant.ts'
import { openStage, type Stage } from './lambda/open-stage.ts'
import { isAccount } from './not-shown.ts'
import { openLocalApi } from './open-local-api.ts'
import { startWorkerProcess } from './start-worker-process.ts'

const endpoints = { simulated: { kind: 'simulated', skill: 0.5, latency: 200, latency_spread: 80 } }
const request: RunRequestInput = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: 8 },
  method: { id: 'mcts', iterations: 2, samples: 2, max_depth: 8 },
  model: { endpoint: 'simulated', id: 'simulated' },
  max_parallel: 8,
}
const few: RunRequestInput = { ...request, tasks: { split: 'test', limit: 1 } }

describe.runIf(!isAccount)('a stage with long-lived workers', () => {
  let stage: Stage
  afterEach(() => stage.close())

  /** Which processes wrote an episode's journal: `lambda`, `worker`. */
  async function writersOf(run: string, episode: string): Promise<Set<string>> {
    const { records } = await readJournal(stage.world.objects, objectKeys.journal(run, episode, 1))
    const segments = records.filter((record) => 'segment' in record)
    return new Set(segments.map(({ writer }) => writer.split('-')[0] as string))
  }

  /** How many objects of workers' logs a run has. */
  const logsOf = async (run: string) => (await stage.world.objects.list(`runs/${run}/logs/`)).objects.length

  test('plays one run with workers, killed and drained in the middle, and one with Lambda: the trees of one machine', async () => {
    stage = await openStage({
      endpoints: { endpoints },
      hasWorkers: true,
      faults: { seed: 0, rates: noFaults },
      isTwice: () => false,
      milliseconds: 900_000,
    })
    const { get, post } = await asTenant(stage, 'acme')
    const [killed, drained] = await Promise.all([
      startWorkerProcess(stage.environment, 2),
      startWorkerProcess(stage.environment, 2),
    ])
    const lasting = await post<Run>('/v1/runs', { ...request, workers: 'fargate' })
    const short = await post<Run>('/v1/runs', { ...few, workers: 'lambda' })
    const ended = async ({ id }: Run) => {
      const { episodes } = await get<Run>(`/v1/runs/${id}`)
      return episodes.total - episodes.waiting - episodes.active
    }
    const hasEnded = () => [killed, drained].some(({ log }) => log().includes('episode.ended'))
    while (!hasEnded()) await Promise.race([killed.playFor(20), drained.playFor(20)])
    killed.kill('SIGKILL')
    drained.kill('SIGTERM')
    expect(await drained.ended, drained.log()).toBe(0)
    expect(drained.log()).toContain('worker.left')
    expect(await ended(lasting)).toBeLessThan(8)

    const other = await startWorkerProcess(stage.environment, 8)
    for (const { id } of [lasting, short])
      while ((await get<Run>(`/v1/runs/${id}`)).ended_at === null) await other.playFor(200)
    expect(other.log()).not.toContain('service.failed')

    expect(await logsOf(lasting.id)).toBeGreaterThan(0)
    expect(await logsOf(short.id)).toBe(0)
    const local = await openLocalApi(endpoints)
    for (const [run, asked, by] of [
      [lasting, request, 'worker'],
      [short, few, 'lambda'],
    ] as const) {
      const { request: recorded, ...shown } = await get<Run>(`/v1/runs/${run.id}`)
      expect(shown).toMatchObject({ status: 'succeeded', episodes: { errored: 0, cancelled: 0 } })
      expect(recorded.workers).toBe(by === 'worker' ? 'fargate' : 'lambda')
      const alone = await local.play(asked)
      for (let index = 0; index < shown.episodes.total; index += 1) {
        const episode = episodeId(index)
        const tree = await stage.world.objects.get(objectKeys.tree(run.id, episode))
        expect(Buffer.from(tree?.body ?? []).toString(), episode).toBe(await local.tree(alone.id, episode))
        expect(await writersOf(run.id, episode), episode).toEqual(new Set([by]))
      }
    }
  }, 900_000)

  test('a worker that cannot reach its table ends before it takes an episode, and says why', async () => {
    stage = await openStage({
      endpoints: { endpoints },
      hasWorkers: true,
      faults: { seed: 0, rates: noFaults },
      isTwice: () => false,
      milliseconds: 900_000,
    })
    const lost = { ...stage.environment, ESPALIER_TABLE: 'espalier-of-nobody' }
    await expect(startWorkerProcess(lost, 1)).rejects.toThrow(/ended with [1-9].*\n(.|\n)*espalier-of-nobody/)
  }, 120_000)
})
