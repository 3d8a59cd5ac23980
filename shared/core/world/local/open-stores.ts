import { join } from 'node:path'
import { DamageBook } from '../damage-book.ts'
import type { QueueName } from '../ports.ts'
import { BodyFiles } from './body-files.ts'
import { Database } from './database.ts'
import { LocalLedger } from './local-ledger.ts'
import { LocalObjects } from './local-objects.ts'
import { LocalQueue } from './local-queue.ts'
import { ObjectRows } from './object-rows.ts'
import { type QueueCount, QueueRows } from './queue-rows.ts'
import { RunFigures, type RunTotals } from './run-figures.ts'
import { TreeCheck } from './tree-check.ts'

export interface ProcessSharing {
  /**
   * Called when messages of a queue came or became ready; pass it on to the other processes with {@link Rings.ring}.
   */
  onRing(queue: QueueName): void
  /** Called once for each damaged object, ledger item and file met here. @default nothing hears of it */
  onDamage?(name: string): void
}

export interface Rings {
  ring(queue: QueueName): void
}

export interface FolderSums {
  countMessages(): QueueCount[]
  sumRuns(tenant: string): Promise<RunTotals>
}

export function readSums({ database, figures, messages }: LocalStores): FolderSums {
  return {
    countMessages: () => database.read(() => messages.counts(Date.now())),
    sumRuns: (tenant) => figures.sum(tenant),
  }
}

export interface LocalStores extends Rings {
  database: Database
  damage: DamageBook
  messages: QueueRows
  figures: RunFigures
  rows: ObjectRows
  files: BodyFiles
  objects: LocalObjects
  ledger: LocalLedger
  queues: Record<QueueName, LocalQueue>
  close(): Promise<void>
}

/**
 * @param options.holder the receiver of messages taken here: see `QueueRows.giveBack`
 * @param options.isHolder whether this process holds the folder, rather than joins it
 * @param options.sharing set if other processes have the folder open too
 * @throws EspalierError `storage_failed`
 */
export function openStores(
  folder: string,
  options: { holder: string; secret: Uint8Array; sharing: ProcessSharing | null; isHolder: boolean },
): LocalStores {
  const { holder, secret, sharing, isHolder } = options
  const database = new Database(join(folder, 'espalier.db'), { isShared: sharing !== null })
  const damage = new DamageBook(sharing?.onDamage)
  const messages = new QueueRows(database, holder, damage)
  const trees = new TreeCheck(database, damage, isHolder)
  const rows = new ObjectRows(database, damage, trees)
  const files = new BodyFiles(join(folder, 'bodies'))
  const objects = new LocalObjects(database, { rows, files, secret, damage })
  const openQueue = (name: QueueName) =>
    LocalQueue.open(
      { database, rows: messages, ...(sharing !== null && { onRing: () => sharing.onRing(name) }) },
      name,
    )
  const queues = {
    episodes: openQueue('episodes'),
    alone: openQueue('alone'),
    datasets: openQueue('datasets'),
    jobs: openQueue('jobs'),
  }
  return {
    database,
    damage,
    messages,
    figures: new RunFigures(database),
    rows,
    files,
    objects,
    ledger: new LocalLedger(database, damage, trees),
    queues,
    ring: (queue) => queues[queue].ring(),
    async close() {
      for (const queue of Object.values(queues)) queue.close()
      await objects.close()
      await trees.close()
      await database.close()
    },
  }
}
