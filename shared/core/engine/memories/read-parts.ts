import { episodeId } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import type { EpisodeRow } from '../episodes/episode-row.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { readObject } from '../read-object.ts'
import type { StoredLearning } from '../runs/run-definition.ts'
import type { Learned } from '../runs/run-planner.ts'
import type { PartCache } from './part-cache.ts'

const partsAtOnce = 32

export interface PartRange {
  from?: number
  before?: number
}

/**
 * The output of a run's episodes, in their order; episodes without output have no part. Only the output that an
 * episode's last end names counts, so reads depend on ends alone, never on work in progress. If a run learned
 * separately for each epoch, its library is the first epoch's: sets of other epochs are other libraries, never mixed
 * with it.
 */
export async function* readParts<Item>(
  { ledger, objects }: Pick<World, 'ledger' | 'objects'>,
  kind: Learned,
  run: string,
  { from = 0, before: until, cache }: PartRange & { cache: PartCache },
): AsyncGenerator<Item[]> {
  const isWhole = kind === 'library' && from === 0 && until === undefined
  const before = (isWhole ? await endOfFirstEpoch(objects, run) : until) ?? Number.POSITIVE_INFINITY
  const { partition } = ledgerKeys.episode(run, '')
  for (let next = from, more = true; more && next < before; ) {
    const limit = Math.min(partsAtOnce, before - next)
    const page = await ledger.query(partition, { limit, ...(next > 0 && { after: episodeId(next - 1) }) })
    const rows = page.items.map(({ item }) => item as EpisodeRow).filter(({ index }) => index < before)
    const parts = await Promise.all(rows.map((row) => readPart(objects, { kind, run }, row, cache)))
    for (const part of parts) if (part !== null) yield part as Item[]
    next = (rows.at(-1)?.index ?? before) + 1
    more = page.more
  }
}

async function readPart(
  objects: World['objects'],
  { kind, run }: { kind: Learned; run: string },
  { index, learned }: EpisodeRow,
  cache: PartCache,
): Promise<unknown[] | null> {
  const episode = episodeId(index)
  if (learned === undefined)
    return readEarlierPart(objects, `${objectKeys.parts(kind, run)}${episode}.json`, cache)
  const part = learned[kind]
  if (part === null) return null
  const key = objectKeys.part(kind, { run, episode, digest: part.digest })
  return cache.get(key, part.bytes, async () => parse(await readObject(objects, key)))
}

async function readEarlierPart(
  objects: World['objects'],
  key: string,
  cache: PartCache,
): Promise<unknown[] | null> {
  const info = await objects.head(key)
  return info === null
    ? null
    : cache.get(`${key} ${info.etag}`, info.size, async () => parse(await readObject(objects, key)))
}

async function endOfFirstEpoch(objects: World['objects'], run: string): Promise<number | undefined> {
  const stored = await objects.get(objectKeys.learning(run))
  if (stored === null) return undefined
  const { episodes } = JSON.parse(Buffer.from(stored.body).toString('utf8')) as StoredLearning
  const first = episodes.filter(({ epoch = 0 }) => epoch === 0).length
  return first < episodes.length ? first : undefined
}

function parse(body: Uint8Array): unknown[] {
  return JSON.parse(Buffer.from(body).toString('utf8')) as unknown[]
}
