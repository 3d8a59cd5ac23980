import { expect, onTestFinished, test } from 'vitest'
import { askInCrowd } from '../../bench/large-folder/crowd.ts'
import { askFor, largeRequests } from '../../bench/large-folder/large-requests.ts'
import { stampFolder } from '../../bench/large-folder/stamp-folder.ts'
import { playRun } from '../../bench/web-runs.ts'
import { openService } from '../../local/open-service.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const size = { runs: 300, episodes: 12_000 }

async function openStamped() {
  const folder = await temporaryFolder()
  const played = await playRun(folder, { name: 'played', method: { id: 'react' }, tasks: { limit: 1 } })
  const stamped = await stampFolder(folder, played, size)
  const service = await openService({ folder, port: 0, work: false, log: () => undefined })
  onTestFinished(() => service.close({ grace: 0 }))
  return { service, stamped }
}

test('every list, report and page of a large folder is answered, and agrees with what was stamped', async () => {
  const { service, stamped } = await openStamped()
  const requests = largeRequests(stamped)
  const answers = new Map<string, string>()
  for (const request of requests) answers.set(request.name, await askFor(service.address, request))
  const read = <Answer>(name: string) => JSON.parse(answers.get(name) ?? '') as Answer

  const report = read<Report>('report')
  expect(report.episodes).toMatchObject({ total: 12_000, succeeded: 9000, failed: 3000 })
  expect(report.success_rate).toMatchObject({ mean: 0.75, count: 12_000 })
  const byCost = read<List<Episode>>('episodes by cost').data.map(({ result }) => result?.usage.cost ?? 0)
  expect(byCost).toEqual(byCost.toSorted((one, other) => other - one))
  expect(read<List<Run>>('runs').data).toHaveLength(50)
  // The played run, the paused one and the large one are beside the copies.
  expect(answers.get('metrics')).toContain('espalier_runs{status="succeeded"} 302')
  expect(answers.get('metrics')).toContain('espalier_runs{status="paused"} 1')

  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await service.app.request(`/v1/runs/${stamped.large}/episodes?task=none`)
  isDone = true
  expect(turns).toBeGreaterThan(2)
})

test('beside clients and followers every request is answered, and no client is passed over', async () => {
  const { service, stamped } = await openStamped()
  const found = await askInCrowd(service.address, {
    clients: 20,
    followers: 30,
    followed: stamped.paused,
    requests: largeRequests(stamped).filter(({ name }) => ['run', 'runs', 'episodes'].includes(name)),
    seconds: 2,
  })
  expect(found.clients.failed).toBe(0)
  expect(found.health.failed).toBe(0)
  expect(found.following).toBe(30)
  expect(found.fewest).toBeGreaterThan(0)
})
