import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { episodeId } from '../../shared/core/contracts/episode-id.ts'
import { ledgerKeys, objectKeys } from '../../shared/core/engine/keys.ts'
import { readObject } from '../../shared/core/engine/read-object.ts'
import type { RunRow } from '../../shared/core/engine/runs/run-row.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'

export interface StampedFolder {
  runs: string[]
  large: string
  paused: string
}

interface Row {
  sort: string
  item: string
}

/**
 * Copies the rows of a played run within a closed data folder, by SQL: `runs` runs of its size, and one run of
 * `episodes` episodes. Costs, steps and rewards differ between the copies, so that orders and means have work to do.
 * Trees and journals stay with the played run. The rows have no checksums, as those of older versions.
 */
export async function stampFolder(
  folder: string,
  played: string,
  size: { runs: number; episodes: number },
): Promise<StampedFolder> {
  const stamped = stampRows(folder, played, size)
  const world = await openLocalWorld({ folder })
  try {
    const { objects } = world
    const { edition, total } = (await world.ledger.get(ledgerKeys.run(played))) as unknown as RunRow
    const read = async (key: string) =>
      JSON.parse(Buffer.from(await readObject(objects, key)).toString('utf8'))
    const definition = await read(objectKeys.edition(played, edition))
    const { large } = stamped
    const request = {
      ...definition.request,
      name: `${size.episodes} episodes`,
      epochs: Math.ceil(size.episodes / total),
    }
    const body = Buffer.from(JSON.stringify({ ...definition, id: large, request }))
    await objects.put(objectKeys.edition(large, edition), body)
    return stamped
  } finally {
    await world.close()
  }
}

function stampRows(
  folder: string,
  played: string,
  { runs, episodes }: { runs: number; episodes: number },
): StampedFolder {
  const database = new DatabaseSync(join(folder, 'espalier.db'))
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = off; begin immediate')
    const stamp = new Stamp(database, played)
    const names = Array.from({ length: runs }, (_, at) => stamp.run(copyName(played, at)))
    const large = stamp.largeRun(copyName(played, runs), episodes)
    const paused = stamp.run(copyName(played, runs + 1), { status: 'paused', reason: null, ended_at: null })
    // The service re-creates the table when it opens the folder.
    database.exec('drop table run_figures; commit; pragma wal_checkpoint(truncate)')
    return { runs: names, large, paused }
  } finally {
    database.close()
  }
}

function copyName(played: string, at: number): string {
  return `${played.slice(0, -8)}${String(at).padStart(7, '0')}z`
}

class Stamp {
  readonly #played: string
  readonly #run: Row
  readonly #listed: string
  readonly #episodes: Row[]
  readonly #spending: Row[]
  readonly #events: Row[]
  readonly #insertItem
  readonly #copyObject

  constructor(database: DatabaseSync, played: string) {
    this.#played = played
    const rows = (partition: string) =>
      database
        .prepare('select sort, item from ledger where partition = ? order by sort')
        .all(partition) as unknown as Row[]
    const [run] = rows(ledgerKeys.run(played).partition)
    const [listed] = rows(ledgerKeys.tenantRun('default', played).partition).filter(
      ({ sort }) => sort === played,
    )
    if (run === undefined || listed === undefined) throw new Error(`There is no run ${played}.`)
    this.#run = run
    this.#listed = listed.item
    this.#episodes = rows(ledgerKeys.episode(played, '').partition)
    this.#spending = rows(ledgerKeys.spending(played, '').partition)
    this.#events = rows(ledgerKeys.event(played, 0).partition)
    this.#insertItem = database.prepare('insert into ledger (partition, sort, item) values (?, ?, ?)')
    const columns = 'etag, size, content_type, file, body'
    this.#copyObject = database.prepare(
      `insert into objects (key, ${columns}) select ?, ${columns} from objects where key = ?`,
    )
  }

  run(id: string, changed: Partial<RunRow> = {}): string {
    const row = JSON.parse(this.#run.item) as RunRow
    this.#place(ledgerKeys.run(id), JSON.stringify({ ...row, id, ...changed }))
    for (const { sort, item } of this.#episodes) this.#place(ledgerKeys.episode(id, sort), item)
    for (const { sort, item } of this.#events)
      this.#place({ partition: ledgerKeys.event(id, 0).partition, sort }, item)
    this.#finish(id)
    return id
  }

  largeRun(id: string, total: number): string {
    const row = JSON.parse(this.#run.item) as Record<string, unknown>
    const failed = Math.ceil(total / 4)
    const counts = { total, succeeded: total - failed, failed, work_total: total, cursor: total, done: total }
    this.#place(ledgerKeys.run(id), JSON.stringify({ ...row, id, ...counts, sequence: total }))
    const templates = this.#episodes.map(({ item }) => JSON.parse(item))
    for (let index = 0; index < total; index += 1) {
      const template = templates[index % templates.length]
      const { result } = template
      const hasFailed = index % 4 === 0
      const status = hasFailed ? 'failed' : 'succeeded'
      const item = {
        ...template,
        index,
        status,
        result: {
          ...result,
          status,
          success: !hasFailed,
          reward: hasFailed ? (index % 10) / 20 : 1,
          steps: result.steps + (index % 17),
          usage: { ...result.usage, cost: ((index * 7919) % 100_003) / 1e5 },
        },
      }
      this.#place(ledgerKeys.episode(id, episodeId(index)), JSON.stringify(item))
      const event = { type: 'episode.ended', episode: episodeId(index), sequence: index + 1 }
      const { reward, steps, usage } = item.result
      this.#place(
        ledgerKeys.event(id, index + 1),
        JSON.stringify({
          ...event,
          task: `task-${index}`,
          result: { status, reward, steps, usage, error: null },
          episodes: { ...counts, waiting: 0, active: 0, limited: 0, errored: 0, cancelled: 0 },
          created_at: '2026-01-01T00:00:00.000Z',
        }),
      )
    }
    this.#finish(id)
    return id
  }

  #finish(id: string): void {
    for (const { sort, item } of this.#spending) this.#place(ledgerKeys.spending(id, sort), item)
    this.#place(ledgerKeys.tenantRun('default', id), this.#listed)
    const { edition } = JSON.parse(this.#run.item) as { edition: string }
    this.#copyObject.run(objectKeys.edition(id, edition), objectKeys.edition(this.#played, edition))
    this.#copyObject.run(objectKeys.tasks(id), objectKeys.tasks(this.#played))
  }

  #place({ partition, sort }: { partition: string; sort: string }, item: string): void {
    this.#insertItem.run(partition, sort, item)
  }
}
