import { episodeId } from '../../contracts/episode.ts'
import type { PutOptions, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { EpisodeToEnd } from './end-episode.ts'
import { type EpisodeRow, hasEnded } from './episode-row.ts'

/**
 * Publishes the objects of an episode's end while the claim holds. A worker that lost its claim may know less of the
 * journal than its successor, and must not overwrite the successor's objects, however late its write comes. So it
 * reads the present object before it checks the claim, and replaces that object only if unchanged.
 * @returns false if the claim is void
 */
export async function publishClaimed(
  world: World,
  claimed: EpisodeToEnd,
  key: string,
  value: unknown,
): Promise<boolean> {
  let isWritten = await publish(world.objects, key, value, { if_none_match: '*' })
  while (!isWritten) {
    const there = await world.objects.head(key)
    if (await isClaimVoid(world, claimed)) return false
    const condition: PutOptions = there === null ? { if_none_match: '*' } : { if_match: there.etag }
    isWritten = await publish(world.objects, key, value, condition)
  }
  return true
}

export async function isClaimVoid({ ledger }: World, { run, place, claim }: EpisodeToEnd): Promise<boolean> {
  const row = (await ledger.get(ledgerKeys.episode(run, episodeId(place.index)))) as EpisodeRow | null
  return row === null || hasEnded(row) || row.starts !== claim.starts || row.generation !== claim.generation
}

/** Stores one object of an episode's end; null stores nothing. @returns false if the condition does not hold */
export async function publish(
  objects: World['objects'],
  key: string,
  value: unknown,
  condition: PutOptions = {},
): Promise<boolean> {
  if (value === null) return true
  const body = Buffer.from(JSON.stringify(value))
  return (await objects.put(key, body, { content_type: 'application/json', ...condition })).written
}
