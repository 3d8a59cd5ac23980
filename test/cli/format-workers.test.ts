import { expect, test } from 'vitest'
import { formatWorkers } from '../../cli/commands/workers.ts'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'

function worker(over: Partial<WorkerInfo>): WorkerInfo {
  return {
    ...{ id: 'worker-1', object: 'worker', status: 'idle', kind: 'service', host: 'head' },
    ...{ version: '1.2.3', labels: [], capacity: 8, playing: 0, episodes: [] },
    started_at: '2026-01-01T00:00:00.000Z',
    heard_at: '2026-01-01T00:00:08.000Z',
    ...over,
  }
}

test('a list without workers says how to start one', () => {
  expect(formatWorkers([], 100)).toEqual([
    'No worker runs. Start one: espalier serve, or espalier worker on another machine.',
  ])
})

test('a worker has a line with its load, and each of its runs once', () => {
  const episodes = ['ep-1', 'ep-2'].map((episode) => ({ run: 'run-a', episode }))
  const busy = worker({
    ...{ id: 'joined-2', status: 'playing', kind: 'joined', host: 'node-7', labels: ['gpu', 'browser'] },
    ...{ capacity: 100, playing: 3, episodes: [...episodes, { run: 'run-b', episode: 'ep-1' }] },
  })
  const lines = formatWorkers([worker({}), busy], 200)
  const cells = lines.map((line) => line.trim().split(/ {2,}/))
  expect(cells[0]).toEqual(['worker', 'state', 'machine', 'kind', 'labels', 'episodes', 'runs', 'version'])
  const rows = cells.slice(1).filter((row) => row.length > 1)
  expect(rows).toEqual([
    ['worker-1', 'idle', 'head', 'service', '0 of 8', '1.2.3'],
    ['joined-2', 'playing', 'node-7', 'joined', 'gpu, browser', '3 of 100', 'run-a run-b', '1.2.3'],
  ])
})

test('narrow terminals keep every worker, run and label', () => {
  const labels = ['gpu', 'browser', 'desktop']
  const episodes = ['run-a', 'run-b'].map((run) => ({ run, episode: 'ep-1' }))
  const text = formatWorkers([worker({ labels, episodes })], 60).join('\n')
  for (const word of ['worker-1', 'idle', '0 of 8', ...labels, 'run-a', 'run-b']) expect(text).toContain(word)
})
