import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { childrenOf, type Started, startEspalier } from './processes.ts'
import { request } from './request.ts'

const example = join(import.meta.dirname, '../../examples/greedy.ts')
const episodes = 24

test('an added method whose workers are killed leaves the trees of an undisturbed run', async () => {
  const folder = await temporaryFolder()
  const slow = { kind: 'simulated', skill: 0.6, latency: 300 }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { slow } }))
  await writeFile(join(folder, 'methods.json'), JSON.stringify({ methods: { greedy: { file: example } } }))
  const service = await startEspalier('serve', '--folder', folder, '--port', '0', '--workers', '2')
  const workers = await untilWorkers(service, (ids) => ids.length === 2)

  const undisturbed = await play(folder)
  expect(undisturbed).toMatchObject({
    status: 'succeeded',
    request: { method: { id: 'greedy', samples: 3 } },
    resolved: { module: { file: example } },
    lost_calls: 0,
  })

  const ending = play(folder)
  await untilCalls(service, undisturbed.id, undisturbed.usage.model_calls / 2)
  await stopInFlight(folder, workers)
  for (const worker of workers) process.kill(worker, 'SIGKILL')
  const disturbed = await ending
  expect(disturbed).toMatchObject({ status: 'succeeded', episodes: { total: episodes, errored: 0 } })
  // The sweeper counts what the dead workers left reserved, which may be after the run's end.
  const lostCalls = async () => (await request<Run>(service, 'GET', `/v1/runs/${disturbed.id}`)).lost_calls
  await expect.poll(lostCalls).toBeGreaterThan(0)
  const successors = await untilWorkers(service, (ids) => ids.length === 2)
  expect(workers.filter((worker) => successors.includes(worker))).toEqual([])

  const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${disturbed.id}/episodes?limit=100`)
  expect(data).toHaveLength(episodes)
  for (const { id } of data) {
    const tree = (run: Run) => request<unknown>(service, 'GET', `/v1/runs/${run.id}/episodes/${id}/tree`)
    expect(await tree(disturbed)).toEqual(await tree(undisturbed))
  }
  expect(await service.end('SIGTERM')).toBe(0)
})

/** Plays the method's file by the command line, over the service that holds the folder. @returns the run when it has ended */
async function play(folder: string): Promise<Run> {
  const words = [
    'run',
    '--environment=textcraft',
    `--method=${example}`,
    '--set=samples=3',
    '--endpoint=slow',
    '--model=simulated',
    `--limit=${episodes}`,
    `--max-parallel=${episodes}`,
    '--seed=7',
    `--folder=${folder}`,
    '--json',
  ]
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  expect(exitCode, terminal.notes.join('\n')).toBe(0)
  return JSON.parse(terminal.outs.join('\n').trim().split('\n').at(-2) ?? '') as Run
}

/**
 * Stops the workers when calls are in flight. Calls of equal length come in waves, and between two of them nothing would be lost with
 * the workers.
 */
async function stopInFlight(folder: string, workers: readonly number[]): Promise<void> {
  using database = new DatabaseSync(join(folder, 'espalier.db'), { readOnly: true })
  const reserving = database.prepare(
    "SELECT COUNT(*) AS calls FROM ledger WHERE partition LIKE 'reservations/%'",
  )
  for (;;) {
    for (const worker of workers) process.kill(worker, 'SIGSTOP')
    if (Number(reserving.get()?.calls) > 0) return
    for (const worker of workers) process.kill(worker, 'SIGCONT')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Until the run that is not the given one has made that many calls. */
async function untilCalls(service: Started, before: string, calls: number): Promise<void> {
  for (;;) {
    const { data } = await request<List<Run>>(service, 'GET', '/v1/runs')
    const run = data.find(({ id }) => id !== before)
    if (run !== undefined && run.usage.model_calls >= calls) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function untilWorkers(service: Started, isSo: (ids: number[]) => boolean): Promise<number[]> {
  for (;;) {
    const { workers } = await request<{ workers: { playing: number } }>(service, 'GET', '/health')
    const ids = await childrenOf(service)
    if (workers.playing === ids.length && isSo(ids)) return ids
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
