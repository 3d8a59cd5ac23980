import { resolve } from 'node:path'
import { EspalierError } from '../../contracts/errors.ts'
import type { Hosts, World } from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import { isFolderLocked } from './folder-lock.ts'
import { type FolderSums, openStores, type ProcessSharing, type Rings, readSums } from './open-stores.ts'
import { readLastHolder } from './service-file.ts'
import { signingSecret } from './signing-secret.ts'

export interface JoinOptions {
  folder: string
  /** The name of this message receiver: the folder's holder returns its messages if this process dies. */
  name: string
  sharing: ProcessSharing
  /** The process that holds the folder. @default the parent of this one */
  holder?: number
}

export interface JoinedWorld extends World, Rings, FolderSums {
  readonly name: 'local'
}

/**
 * Joins the world of a data folder that another process holds, to work beside it: the same objects, ledger and
 * queues. The holder alone launches hosts, cleans up, and publishes the service's address.
 * @throws EspalierError `conflict`: the folder is not held by that process
 * @throws EspalierError `storage_failed`: the folder cannot be used
 */
export async function joinLocalWorld(options: JoinOptions): Promise<JoinedWorld> {
  const { name, sharing, holder = process.ppid } = options
  const folder = resolve(options.folder)
  if (!isFolderLocked(folder) || (await readLastHolder(folder))?.pid !== holder) throw notHeld(folder, holder)
  const stores = openStores(folder, {
    holder: name,
    secret: await signingSecret(folder),
    sharing,
    isHolder: false,
  })
  const { objects, ledger, queues, ring } = stores
  let closing: Promise<void> | undefined
  return {
    name: 'local',
    objects,
    ledger,
    queues,
    hosts: hostsOfTheHolder,
    clock: systemClock,
    ring,
    ...readSums(stores),
    close: () => {
      closing ??= stores.close()
      return closing
    },
  }
}

/** Hosts are reached by their addresses in the ledger; the process that launches them must outlive the players. */
const hostsOfTheHolder: Hosts = {
  launch: () => Promise.reject(new Error('Only the process that holds the data folder launches hosts.')),
  describe: async () => [],
  list: async () => [],
  stop: () => Promise.reject(new Error('Only the process that holds the data folder stops hosts.')),
}

function notHeld(folder: string, holder: number): EspalierError {
  return new EspalierError(
    'conflict',
    `The data folder ${folder} is not held by process ${holder}, so it cannot be joined: open it as its holder, or start this process from the one that holds it.`,
  )
}
