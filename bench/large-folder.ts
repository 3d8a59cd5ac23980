import { cp, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { report } from './figure.ts'
import { Times } from './large-folder/answer-times.ts'
import { askInCrowd } from './large-folder/crowd.ts'
import { askFor, type LargeRequest, largeRequests } from './large-folder/large-requests.ts'
import { stampFolder } from './large-folder/stamp-folder.ts'
import { serveFolder } from './served-requests.ts'
import { playRun } from './web-runs.ts'

const sizes = (process.env.LARGE_FOLDER_SIZES ?? '1000,10000,100000').split(',').map(Number)
const repeats = 7
const crowd = { clients: 200, followers: 500, seconds: 15 }
const everyday = new Set([
  'run',
  'runs',
  'runs by status',
  'episodes',
  'episodes by cost',
  'report',
  'metrics',
])

const home = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
try {
  const played = await playRun(join(home, 'played'), {
    name: 'played',
    method: { id: 'react' },
    tasks: { limit: 1 },
  })
  const alone = new Map<string, string[]>()
  for (const size of sizes) await measure(played, size, alone)
  for (const [name, values] of alone)
    report({
      what: `Large folder: ${name}, asked alone`,
      value: values.join(' · '),
      ratio: `median / p99 in ms, at ${sizes.join(', ')} runs and episodes`,
      aim: name === 'metrics' ? '≤ 200 ms' : name === 'health' ? '≤ 100 ms' : '≤ 1 s',
    })
} finally {
  await rm(home, { recursive: true, force: true })
}

async function measure(played: string, size: number, alone: Map<string, string[]>): Promise<void> {
  const folder = join(home, String(size))
  await cp(join(home, 'played'), folder, { recursive: true })
  const stamped = await stampFolder(folder, played, { runs: size, episodes: size })
  const service = await serveFolder(folder, '--workers', '1')
  try {
    const requests = largeRequests(stamped)
    for (const request of requests) {
      const times = await timeAlone(service.address, request)
      alone.set(request.name, [
        ...(alone.get(request.name) ?? []),
        `${times.median.toFixed(0)} / ${times.p99.toFixed(0)}${times.failed > 0 ? ` (${times.failed} failed)` : ''}`,
      ])
    }
    const before = await service.used()
    const { clients, fewest, following, health, most } = await askInCrowd(service.address, {
      ...crowd,
      followed: stamped.paused,
      requests: requests.filter(({ name }) => everyday.has(name)),
    })
    const after = await service.used()
    report({
      what: `Large folder of ${size}: ${crowd.clients} clients, each with one request after the other, and ${crowd.followers} followers`,
      value: `p50 ${clients.median.toFixed(0)} ms, p99 ${clients.p99.toFixed(0)} ms, longest ${clients.longest.toFixed(0)} ms of ${clients.count} (${clients.failed} failed); ${following} still follow`,
      ratio: `${fewest} to ${most} answers a client, ${((after.processor - before.processor) / clients.count).toFixed(2)} ms of processor time each; /health beside them p50 ${health.median.toFixed(0)} ms, p99 ${health.p99.toFixed(0)} ms; ${before.memory.toFixed(0)} to ${after.memory.toFixed(0)} MB; load ${loadavg()[0]?.toFixed(1)}`,
      aim: 'p99 ≤ 1 s, /health ≤ 100 ms, on two quiet cores',
    })
  } finally {
    await service.stop()
  }
}

async function timeAlone(address: string, request: LargeRequest) {
  const times = new Times()
  for (let repeat = 0; repeat < repeats; repeat += 1) await times.time(() => askFor(address, request))
  return times.summary()
}
