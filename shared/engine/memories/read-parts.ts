import { episodeId } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import { objectKeys } from '../keys.ts'
import { readObject } from '../read-object.ts'
import type { StoredLearning } from '../runs/run-definition.ts'
import type { Learned } from '../runs/run-planner.ts'
import type { PartCache } from './part-cache.ts'

/** Parts that are read side by side. */
const partsAtOnce = 32

/** Which episodes' parts, by their ids. */
export interface PartRange {
  /** The first. @default the run's first */
  from?: string
  /** The one after the last. @default none: to the end */
  before?: string
}

/**
 * What the episodes of a run left, in the order of the episodes; those that left nothing have no part. A library of a run that
 * learned anew for each epoch is what it learned for the first: sets of other epochs are other libraries, never mixed with it.
 */
export async function* readParts<Item>(
  { objects }: Pick<World, 'objects'>,
  kind: Learned,
  run: string,
  { from, before: until, cache }: PartRange & { cache: PartCache },
): AsyncGenerator<Item[]> {
  const isWhole = kind === 'library' && from === undefined && until === undefined
  const before = isWhole ? await endOfFirstEpoch(objects, run) : until
  const prefix = objectKeys.parts(kind, run)
  // Such a key stands right before that of the episode, which goes on with `json`.
  const end = before === undefined ? null : `${prefix}${before}.`
  for (let after = from === undefined ? prefix : `${prefix}${from}.`, more = true; more; ) {
    const page = await objects.list(prefix, { limit: partsAtOnce, after })
    const wanted = page.objects.filter(({ key }) => end === null || key < end)
    const parts = wanted.map(({ key, etag, size }) =>
      cache.get(`${key} ${etag}`, size, async () => parse(await readObject(objects, key))),
    )
    for (const part of await Promise.all(parts)) yield part as Item[]
    after = page.objects.at(-1)?.key ?? after
    more = page.more && wanted.length === page.objects.length
  }
}

/** The episode after the last that learned for the first epoch; undefined where none learned for a later one. */
async function endOfFirstEpoch(objects: World['objects'], run: string): Promise<string | undefined> {
  const stored = await objects.get(objectKeys.learning(run))
  if (stored === null) return undefined
  const { episodes } = JSON.parse(Buffer.from(stored.body).toString('utf8')) as StoredLearning
  const first = episodes.filter(({ epoch = 0 }) => epoch === 0).length
  return first < episodes.length ? episodeId(first) : undefined
}

function parse(body: Uint8Array): unknown[] {
  return JSON.parse(Buffer.from(body).toString('utf8')) as unknown[]
}
