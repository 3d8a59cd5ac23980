import { pagesOf } from '../world/pages-of.ts'
import type { LedgerCondition, World } from '../world/ports.ts'
import type { EpisodeRow } from './episodes/episode-row.ts'
import { hasEnded } from './episodes/episode-row.ts'
import { ledgerKeys } from './keys.ts'
import { isAlive, listWorkers } from './workers.ts'

/**
 * Milliseconds an episode can be queued ahead: the maximum delay of a queue. Further ahead, it was queued before the
 * clock was set back, and its message may be lost.
 */
const longestDelay = 900_000

type Abandoned = Pick<EpisodeRow, 'starts' | 'worker'> & { episode: string }

/**
 * Sends an open run's episodes again if no worker plays them: their worker died, or their message was dropped or
 * lost. Sending one too often does no harm.
 * @param queuedBefore - milliseconds since the epoch; an episode queued later is still expected to be on its way
 * @returns the number of episodes sent
 */
export async function resendEpisodes(
  world: World,
  run: string,
  queuedBefore = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { ledger, queues } = world
  const { partition } = ledgerKeys.active(run, '')
  const { alive } = await listWorkers(world)
  const latest = world.clock.now() + longestDelay
  const isOverdue = (queued: number) => queued <= queuedBefore || queued > latest
  let sent = 0
  for await (const page of pagesOf(ledger, partition, 100)) {
    const looked = page.map(({ sort, item }) =>
      findAbandoned(world, { run, episode: sort, isOverdue: isOverdue(Number(item.queued_at)) }, alive),
    )
    const abandoned = (await Promise.all(looked)).filter((one) => one !== null)
    // The messages go first: if an episode were marked before and the sending failed, it would count as on its way.
    await queues.episodes.send(abandoned.map(({ episode }) => ({ body: { run, episode }, group: run })))
    await Promise.all(abandoned.map((one) => markQueued(world, run, one)))
    sent += abandoned.length
  }
  return sent
}

async function findAbandoned(
  world: World,
  { run, episode, isOverdue }: { run: string; episode: string; isOverdue: boolean },
  alive: ReadonlySet<string>,
): Promise<Abandoned | null> {
  const row = (await world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
  if (!row || hasEnded(row)) return null
  const { starts, worker } = row
  if (worker === null) return isOverdue ? { episode, starts, worker } : null
  // A worker that has just begun is missing from the list.
  return alive.has(worker) || (await isAlive(world, worker)) ? null : { episode, starts, worker }
}

async function markQueued(world: World, run: string, { episode, starts, worker }: Abandoned): Promise<void> {
  const { clock, ledger } = world
  if (worker !== null) {
    const key = ledgerKeys.episode(run, episode)
    const asRead: LedgerCondition[] = [
      { attribute: 'starts', is: 'equal', value: starts },
      { attribute: 'worker', is: 'equal', value: worker },
    ]
    const { ok } = await ledger.update({ key, set: { status: 'queued', worker: null }, if: asRead })
    if (!ok) return
  }
  await ledger.update({
    key: ledgerKeys.active(run, episode),
    set: { queued_at: clock.now() },
    if: [{ is: 'present' }],
  })
}
