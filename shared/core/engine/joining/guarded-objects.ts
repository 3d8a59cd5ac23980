import { hash } from 'node:crypto'
import type { Objects, PutOptions, World } from '../../world/ports.ts'
import type { EpisodeRow } from '../episodes/episode-row.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { refusedTo } from './change-checks.ts'
import type { JoinedWorker } from './join-gateway.ts'
import type { WorkerBook } from './worker-book.ts'

interface ObjectGuard {
  world: World
  book: WorkerBook
  worker: JoinedWorker
}

const episodeKey = /^runs\/([^/]+)\/episodes\/([^/]+)\/(.+)$/
const attemptFile = /^attempts\/(\d+)\/(?:journal\/(\d+)(-\d+)?\.jsonl\.gz|tokens\/[\w.-]+)$/
const endFile = /^(?:ends\/(\d+)\/)?(tree|trajectory|result)\.json$/
const learnedPart = /^runs\/([^/]+)\/(?:memory|library)\/([^/]+)\/([0-9a-f]{32})\.json$/
const blob = /^blobs\/([0-9a-f]{64})$/

/**
 * The objects that a worker may use: it reads those of its tenant's runs, and writes the journal and the end of an
 * episode while it holds the claim. A segment of a journal is only ever created.
 */
export function guardObjects(guard: ObjectGuard): Objects {
  const { objects } = guard.world
  const mayRead = (key: string) => checkRead(guard, key)
  return {
    async put(key, body, options = {}) {
      await checkPut(guard, key, body, options)
      return objects.put(key, body, options)
    },
    async get(key, range) {
      await mayRead(key)
      return objects.get(key, range)
    },
    async head(key) {
      await mayRead(key)
      return objects.head(key)
    },
    async list(prefix, options) {
      if (/^blobs/.test(prefix)) throw refusedTo('list pictures')
      await mayRead(prefix)
      return objects.list(prefix, options)
    },
    async delete(key) {
      throw refusedTo(`delete "${key}"`)
    },
    async sign(key, options) {
      await mayRead(key)
      return objects.sign(key, options)
    },
  }
}

async function checkRead({ book }: ObjectGuard, key: string): Promise<void> {
  const run = /^runs\/([^/]+)\//.exec(key)?.[1]
  if (run !== undefined) await book.checkTenant(run)
  // A picture's name is the digest of its content. Packs are the tasks of environments.
  else if (!blob.test(key) && !/^packs\/[^/]+\//.test(key)) throw refusedTo(`read "${key}"`)
}

async function checkPut(guard: ObjectGuard, key: string, body: Uint8Array, options: PutOptions) {
  const digest = blob.exec(key)?.[1]
  if (digest !== undefined) {
    if (digest !== hash('sha256', body)) throw refusedTo(`name a picture "${key}" that it is not`)
    return
  }
  const part = learnedPart.exec(key)
  if (part !== null) {
    const [, run = '', episode = '', name] = part
    if (name !== hash('sha256', body).slice(0, 32)) throw refusedTo(`write "${key}"`)
    await heldRow(guard, run, episode, key)
    return
  }
  const [, run = '', episode = '', file = ''] = episodeKey.exec(key) ?? []
  const attempt = attemptFile.exec(file)
  const end = endFile.exec(file)
  if (attempt !== null) {
    const [, number, segment, joined] = attempt
    const row = await heldRow(guard, run, episode, key)
    const isFenced = segment === undefined || joined !== undefined || options.if_none_match === '*'
    if (row.attempt !== Number(number) || !isFenced) throw refusedTo(`write "${key}"`)
  } else if (end !== null) await checkEndFile(guard, { run, episode, key, body }, end)
  else throw refusedTo(`write "${key}"`)
}

/** Before the end the files of its generation; after it, copies of these under the episode's own names. */
async function checkEndFile(
  guard: ObjectGuard,
  { run, episode, key, body }: { run: string; episode: string; key: string; body: Uint8Array },
  [, generation = '1', kind]: RegExpExecArray,
): Promise<void> {
  await guard.book.checkTenant(run)
  const row = await readEpisode(guard.world, run, episode)
  if (isHeldBy(row, guard.worker) && row.generation === Number(generation)) {
    await heldRow(guard, run, episode, key)
    return
  }
  const ended = row?.ended?.generation
  const isCopy = generation === '1' && ended !== undefined && ended > 1 && ended === row?.generation
  const name = objectKeys[kind as 'tree' | 'trajectory' | 'result'](run, episode, ended)
  const original = isCopy ? await guard.world.objects.get(name) : null
  if (original === null || Buffer.compare(original.body, body) !== 0) throw refusedTo(`write "${key}"`)
}

async function heldRow(
  { world, book, worker }: ObjectGuard,
  run: string,
  episode: string,
  key: string,
): Promise<EpisodeRow> {
  await book.checkTenant(run)
  const row = await readEpisode(world, run, episode)
  if (!isHeldBy(row, worker) || !(await book.hasEpisode(run, episode))) throw refusedTo(`write "${key}"`)
  return row
}

function readEpisode(
  { ledger }: Pick<World, 'ledger'>,
  run: string,
  episode: string,
): Promise<EpisodeRow | null> {
  return ledger.get(ledgerKeys.episode(run, episode)) as Promise<EpisodeRow | null>
}

export function isHeldBy(row: EpisodeRow | null, { name }: JoinedWorker): row is EpisodeRow {
  return row !== null && row.status === 'running' && row.worker === name
}
