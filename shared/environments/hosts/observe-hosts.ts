import type { HostCaller } from '../../core/contracts/host-call.ts'
import { hostHealthSchema } from '../../core/contracts/session.ts'
import type { Host, World } from '../../core/world/ports.ts'
import { hostAccessKey } from './host-access.ts'
import { HostRegistry } from './host-registry.ts'
import type { HostRow } from './host-row.ts'

const longestUnseenMilliseconds = 60_000
const clockSkew = 5000
const longestLook = 5000

export interface NeverReady {
  reason: string
  lacksCapacity: boolean
}

export interface Observed {
  rows: HostRow[]
  failures: unknown[]
  neverReady: NeverReady[]
}

export async function observeHosts(
  world: Pick<World, 'ledger' | 'hosts' | 'clock'>,
  caller: HostCaller,
  { image, slots }: { image: string; slots: number },
): Promise<Observed> {
  const registry = new HostRegistry(world.ledger)
  const now = world.clock.now()
  const rows = await Promise.all((await registry.list(image)).map((row) => countAnew(registry, row, now)))
  const listed = (await world.hosts.list()).filter((host) => host.image === image)
  const found = new Map(listed.map((host) => [host.id, host]))
  const unlisted = rows.filter(({ id }) => !found.has(id)).map(({ id }) => id)
  if (unlisted.length > 0) for (const host of await world.hosts.describe(unlisted)) found.set(host.id, host)

  const known = new Set(rows.map(({ id }) => id))
  for (const host of listed.filter(({ id }) => !known.has(id))) {
    const { token } = host
    const accessKey = token === undefined ? undefined : await hostAccessKey(world.ledger, image, token)
    await registry.enter(newHostRow(host, slots, now, accessKey))
  }
  const neverReady: NeverReady[] = []
  await Promise.all(
    rows.map(async (row) => {
      const host = found.get(row.id)
      const isNew = row.status === 'starting' && row.launched_at > now - longestUnseenMilliseconds
      const isGone = host === undefined ? !isNew : host.status === 'stopped'
      if (!isGone) return
      if (row.status === 'starting') neverReady.push(reasonOf(host))
      await registry.remove(row.id)
    }),
  )
  const looks = await Promise.allSettled(
    [...found.values()].map((host) => look(world, registry, caller, host)),
  )
  const failures = looks.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  return { rows: await registry.list(image), failures, neverReady }
}

function reasonOf(host: Host | undefined): NeverReady {
  return {
    reason: host?.reason ?? 'It stopped before it was ready.',
    lacksCapacity: host?.lacked_capacity === true,
  }
}

/**
 * A host last seen before the clock was set back counts as seen now: otherwise the wait for it would grow by the
 * jump.
 */
async function countAnew(registry: HostRegistry, row: HostRow, now: number): Promise<HostRow> {
  const latest = now + clockSkew
  const { launched_at, seen_at } = row
  if (launched_at <= latest && (seen_at ?? 0) <= latest) return row
  const anew = {
    launched_at: Math.min(launched_at, now),
    seen_at: seen_at === null ? null : Math.min(seen_at, now),
  }
  await registry.note(row.id, anew)
  return { ...row, ...anew }
}

export function newHostRow(
  { id, image, address }: Host,
  slots: number,
  now: number,
  accessKey?: string,
): HostRow {
  return {
    id,
    image,
    address,
    status: 'starting',
    ...(accessKey !== undefined && { access_key: accessKey }),
    slots,
    sessions: 0,
    draining: false,
    launched_at: now,
    seen_at: null,
    idle_since: null,
  }
}

async function look(
  { clock }: Pick<World, 'clock'>,
  registry: HostRegistry,
  caller: HostCaller,
  { id, address, status }: Host,
): Promise<void> {
  if (status !== 'running' || address === null) return
  await registry.note(id, { address })
  const signal = AbortSignal.timeout(longestLook)
  const answer = await caller.call({ operation: 'health', host: id }, signal).catch((error: unknown) => {
    if (signal.aborted) return null
    throw error
  })
  // A host that does not report that it is healthy is given up in time.
  const health = hostHealthSchema.safeParse(answer?.body)
  if (!health.success) return
  const { slots, sessions, idle_for, status: said } = health.data
  const now = clock.now()
  await registry.note(id, {
    slots,
    sessions,
    draining: said === 'draining',
    seen_at: now,
    idle_since: sessions > 0 ? null : now - Math.round(idle_for * 1000),
  })
  await registry.open(id)
}
