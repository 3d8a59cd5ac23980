import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EspalierError } from '../../contracts/errors.ts'
import type { DamageBook } from '../damage-book.ts'
import type { QueueName, World } from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { LocalHosts } from './local-hosts.ts'
import { makeWithParents } from './make-with-parents.ts'
import { type FolderSums, openStores, type ProcessSharing, type Rings, readSums } from './open-stores.ts'
import { readLastHolder, removeServiceFile, writeServiceFile } from './service-file.ts'
import { type FileGrant, verifySignature } from './signed-address.ts'
import { signingSecret } from './signing-secret.ts'
import { failureCode, storageError } from './storage-error.ts'

export interface LocalWorldOptions {
  /** The data folder; created if missing. One process at a time holds it. */
  folder: string
  images?: Readonly<Record<string, string>>
  sharing?: ProcessSharing
}

export interface LocalWorld extends World, Rings, FolderSums {
  readonly name: 'local'
  readonly folder: string
  /**
   * Publishes the service's address for other processes of this user, and the word that proves access: see
   * `readServiceFile`.
   */
  announce(address: string, word?: string): Promise<void>
  /**
   * The access that an address signed by `objects.sign` grants.
   * @throws EspalierError `invalid_signature`: changed, incomplete or expired
   */
  verify(address: string): FileGrant
  readonly damage: DamageBook
  hasReady(queue: QueueName): boolean
  giveBack(name: string): Promise<void>
}

/**
 * Opens the world of a data folder: SQLite for small data, files for large bodies, child processes for hosts. Data of
 * an answered call is on disk, however the process ends. Messages that a dead process had in flight return
 * immediately.
 * @throws EspalierError `conflict`: another process holds the folder; the message names it.
 * @throws EspalierError `storage_failed`: the folder cannot be used; the message has the reason and the way out.
 */
export async function openLocalWorld(options: LocalWorldOptions): Promise<LocalWorld> {
  const path = resolve(options.folder)
  await makeFolder(path)
  const lock = lockFolder(path)
  if (lock === null) throw await folderTaken(path)
  try {
    return await openLocked(path, options, lock)
  } catch (error) {
    lock.release()
    throw storageError(error, 'open', path)
  }
}

async function openLocked(
  folder: string,
  { images = {}, sharing }: Omit<LocalWorldOptions, 'folder'>,
  lock: FolderLock,
): Promise<LocalWorld> {
  const started_at = new Date().toISOString()
  const announce = (address: string | null, word?: string): Promise<void> =>
    writeServiceFile(folder, { pid: process.pid, address, started_at, ...(word !== undefined && { word }) })
  await announce(null)
  const secret = await signingSecret(folder)
  const stores = openStores(folder, {
    holder: randomUUID(),
    secret,
    sharing: sharing ?? null,
    isHolder: true,
  })
  const { database, messages, objects, ledger, queues, ring } = stores
  try {
    await database.write(() => {
      messages.rebase(Date.now())
      messages.giveBackAll()
    })
    await ledger.removeExpired()
    await stores.files.sweep(
      (name) => database.read(() => stores.rows.refersTo(name)),
      () => database.read(() => stores.rows.files()),
    )
    const hosts = new LocalHosts(images, join(folder, 'hosts'))

    const close = async (): Promise<void> => {
      for (const queue of Object.values(queues)) queue.close()
      try {
        await Promise.all([hosts.close(), objects.close()])
        await stores.close()
        await removeServiceFile(folder)
      } finally {
        lock.release()
      }
    }
    let closing: Promise<void> | undefined

    return {
      name: 'local',
      folder,
      damage: stores.damage,
      objects,
      ledger,
      queues,
      hosts,
      clock: systemClock,
      announce,
      verify: (address) => verifySignature(secret, address, Date.now()),
      ring,
      hasReady: (queue) => queues[queue].hasReady(),
      ...readSums(stores),
      async giveBack(name) {
        await database.write(() => messages.giveBack(name))
        for (const queue of Object.keys(queues) as QueueName[]) {
          ring(queue)
          sharing?.onRing(queue)
        }
      },
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await makeWithParents(folder)
  } catch (error) {
    if (failureCode(error) === 'EEXIST' && (await stat(folder)).isFile()) {
      throw new EspalierError(
        'storage_failed',
        `The data folder ${folder} is a file: choose a folder, or a path where one can be made.`,
        { cause: error },
      )
    }
    throw storageError(error, 'create the data folder', folder)
  }
}

async function folderTaken(folder: string): Promise<EspalierError> {
  const holder = await readLastHolder(folder)
  const who = holder === null ? 'another process' : `process ${holder.pid}`
  const service = holder?.address ? `, whose service answers at ${holder.address}` : ''
  const advice = holder?.address ? 'Use that service' : 'Wait until it is done'
  const since = holder === null ? '' : ` since ${holder.started_at.replace(/\.\d+Z$/, 'Z')}`
  return new EspalierError(
    'conflict',
    `The data folder ${folder} is in use by ${who}${service}${since}. ${advice}, end it, or choose another folder.`,
  )
}
