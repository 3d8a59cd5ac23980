import { machineLoadSchema, machineSchema, type WorkerInfo } from '../../contracts/machine.ts'
import type { World } from '../../world/ports.ts'
import { RunStore } from '../runs/run-store.ts'
import { heartbeat, type WorkerRow, workerRows } from '../workers.ts'

export async function listWorkerInfos(world: World, tenant: string): Promise<WorkerInfo[]> {
  const store = new RunStore(world)
  const owners = new Map<string, Promise<string | undefined>>()
  const ownerOf = (run: string) => {
    const owner = owners.get(run) ?? store.find(run).then((row) => row?.tenant)
    owners.set(run, owner)
    return owner
  }
  const found: WorkerInfo[] = []
  for await (const row of workerRows(world, () => undefined)) {
    if (row.tenant !== undefined && row.tenant !== tenant) continue
    const info = toWorkerInfo(row)
    if (info === null) continue
    const episodes: WorkerInfo['episodes'] = []
    for (const each of info.episodes) if ((await ownerOf(each.run)) === tenant) episodes.push(each)
    found.push({ ...info, episodes })
  }
  return found.sort((a, b) => a.started_at.localeCompare(b.started_at) || a.id.localeCompare(b.id))
}

function toWorkerInfo({ expires, id, isAlive, load, machine }: WorkerRow): WorkerInfo | null {
  const { data } = machineSchema.safeParse(machine)
  if (data === undefined || !(expires > 0)) return null
  const { capacity, host, kind, labels, started_at, version } = data
  const { leaving, playing, episodes } = machineLoadSchema.safeParse(load).data ?? noLoad
  return {
    id,
    object: 'worker',
    status: !isAlive ? 'silent' : leaving ? 'leaving' : playing > 0 ? 'playing' : 'idle',
    ...{ kind, host, version, labels, capacity, playing, episodes, started_at },
    heard_at: new Date(expires - heartbeat.seconds * 1000).toISOString(),
  }
}

const noLoad = { leaving: false, playing: 0, episodes: [] }
