import { loadavg } from 'node:os'
import { join } from 'node:path'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import type { World } from '../shared/core/world/ports.ts'
import { openPostgresWorld } from '../shared/core/world/postgres/open-postgres-world.ts'
import { startPostgres } from '../test/cluster/postgres-server.ts'
import { report } from './figure.ts'
import { ended, openBenchEngine } from './open-bench-engine.ts'
import { scriptedModel } from './scripted-model.ts'

const episodes = 200
const latencies = 500
const workers = 50

const server = await startPostgres([])
const openShared = (folder: string, address = server.newWorld()) =>
  openPostgresWorld({
    address,
    objects: join(folder, 'objects'),
    logs: join(folder, 'logs'),
    connections: 20,
  })

async function episodesPerSecond(openWorld?: typeof openShared): Promise<number> {
  const engine = await openBenchEngine(scriptedModel, 50, openWorld && { openWorld })
  const request = runRequestSchema.parse({
    environment: exampleEnvironment,
    method: { id: 'react', max_steps: 20 },
    tasks: { split: 'train', limit: episodes },
    model: { endpoint: 'bench', id: 'bench' },
    max_parallel: 50,
  })
  const start = performance.now()
  const { episodes: played } = await ended(engine, (await engine.runs.create(request)).id)
  const seconds = (performance.now() - start) / 1000
  await engine.close()
  return played.total / seconds
}

const rates = { local: 0, postgres: 0 }
for (let round = 0; round < 2; round += 1) {
  rates.local = Math.max(rates.local, await episodesPerSecond())
  rates.postgres = Math.max(rates.postgres, await episodesPerSecond(openShared))
}
const load = () => `load ${loadavg()[0]?.toFixed(0)}`
report({
  what: `react of 20 steps with a model of zero latency, one worker of 50 places (${load()})`,
  value: `${rates.postgres.toFixed(1)} episodes/s in PostgreSQL, ${rates.local.toFixed(1)} in the local world`,
  ratio: `${(rates.postgres / rates.local).toFixed(2)} × the local world`,
  aim: '≥ 0.3 ×',
})

await openBenchEngine(scriptedModel, 1, { openWorld: measureQueues }).then((engine) => engine.close())
await server.remove()

async function measureQueues(folder: string) {
  const world = await openShared(folder)
  const times = await queueTimes(world)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1)
  report({
    what: `from sending a message to a waiting receiver, ${latencies} times (${load()})`,
    value: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    ratio: `${((times[Math.floor(0.99 * times.length)] ?? 0) / (times[Math.floor(0.5 * times.length)] ?? 1)).toFixed(1)} × the p50 at p99`,
    aim: 'p50 ≤ 10 ms',
  })
  const address = server.newWorld()
  const schema = new URL(address).searchParams.get('schema')
  const machines = await Promise.all(
    Array.from({ length: 5 }, () => openShared(join(folder, 'machines'), address)),
  )
  const first = await drain(machines, 2500)
  const before = await updatesOf(schema)
  const waits = watchLocks()
  const second = await drain(machines, 10_000)
  const { looks, blocked } = await waits.stop()
  const updates = (await updatesOf(schema)) - before
  report({
    what: `10,000 queued episodes of 100 runs, ${workers} simulated workers over 5 connections' pools (${load()})`,
    value: `${(10_000 / second).toFixed(0)} a second, ${(2500 / first).toFixed(0)} with 2,500; ${(updates / 10_000).toFixed(1)} updated rows an episode; ${blocked} waits for a lock in ${looks} looks at ${workers} workers`,
    ratio: `${(second / first / 4).toFixed(2)} × the time of a message with a quarter as many`,
    aim: '≤ 1.5 × (linear), and almost no wait for a lock (no hot row)',
  })
  await Promise.all(machines.map((machine) => machine.close()))
  return world
}

async function queueTimes({ queues }: World): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < latencies; count += 1) {
    const received = queues.episodes.receive({ max: 1, wait: 20, visibility: 60 })
    await new Promise((resolve) => setTimeout(resolve, 5))
    const start = performance.now()
    await queues.episodes.send([{ body: count, group: 'run' }])
    const [message] = await received
    times.push(performance.now() - start)
    if (message !== undefined) await queues.episodes.delete(message.receipt)
  }
  return times.toSorted((one, other) => one - other)
}

async function drain(machines: readonly World[], count: number): Promise<number> {
  const [{ queues }] = machines as [World]
  for (let sent = 0; sent < count; sent += 500)
    await queues.episodes.send(
      Array.from({ length: 500 }, (_, at) => ({ body: sent + at, group: `run_${(sent + at) % 100}` })),
    )
  const start = performance.now()
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const { ledger, queues: own } = machines[worker % machines.length] as World
      for (;;) {
        const messages = await own.episodes.receive({ max: 5, wait: 0, visibility: 600 })
        if (messages.length === 0) return
        for (const { body, receipt } of messages) {
          await ledger.update({ key: { partition: `episodes/${count}`, sort: `${body}` }, set: { worker } })
          await ledger.update({ key: { partition: 'spending', sort: `worker ${worker}` }, add: { calls: 1 } })
          await own.episodes.delete(receipt)
        }
      }
    }),
  )
  return (performance.now() - start) / 1000
}

async function updatesOf(schema: string | null): Promise<number> {
  const [row] = await server.ask(
    `select sum(n_tup_upd)::integer as updates from pg_stat_user_tables where schemaname = '${schema}'`,
  )
  return Number(row?.updates)
}

function watchLocks() {
  let isOver = false
  const found = { looks: 0, blocked: 0 }
  const watching = (async () => {
    while (!isOver) {
      const [row] = await server.ask(
        "select count(*)::integer as blocked from pg_stat_activity where wait_event_type = 'Lock'",
      )
      found.looks += 1
      found.blocked += Number(row?.blocked)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return found
    },
  }
}
