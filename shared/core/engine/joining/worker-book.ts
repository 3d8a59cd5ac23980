import { pagesOf } from '../../world/pages-of.ts'
import type { IncomingMessage, LedgerChange, QueueName, World } from '../../world/ports.ts'
import { type EpisodeMessage, episodeMessageSchema } from '../episodes/episode-message.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import { type RunStore, unknownRun } from '../runs/run-store.ts'
import type { JoinedWorker } from './join-gateway.ts'

interface TakenMessage extends EpisodeMessage {
  queue: QueueName
  receipt: string
}

// Milliseconds for which a taken message permits anything: longer than an episode plays in one go.
const longestPlay = 7 * 24 * 3600 * 1000

/**
 * The messages a worker took and has not deleted: they permit it to claim their episodes and to work on their runs.
 * The ledger has them too, for a service that restarts.
 */
export class WorkerBook {
  readonly #world: World
  readonly #store: Pick<RunStore, 'find'>
  readonly #worker: JoinedWorker
  readonly #tenants = new Map<string, string>()
  #taken: Promise<Map<string, TakenMessage>> | null = null

  constructor(world: World, store: Pick<RunStore, 'find'>, worker: JoinedWorker) {
    this.#world = world
    this.#store = store
    this.#worker = worker
  }

  /** @throws EspalierError `not_found` for another tenant's run, in the words for one that does not exist */
  async checkTenant(run: string): Promise<void> {
    const known = this.#tenants.get(run) ?? (await this.#store.find(run))?.tenant
    if (known !== undefined) this.#tenants.set(run, known)
    if (known !== this.#worker.tenant) throw unknownRun(run)
  }

  async ownRun(run: string): Promise<RunRow> {
    const row = await this.#store.find(run)
    if (row === null || row.tenant !== this.#worker.tenant) throw unknownRun(run)
    return row
  }

  async note(queue: QueueName, messages: readonly IncomingMessage[]): Promise<void> {
    const taken = await this.#read()
    const notes = messages.flatMap(({ body, receipt }): TakenMessage[] => {
      const { data } = episodeMessageSchema.safeParse(body)
      return data === undefined ? [] : [{ ...data, queue, receipt }]
    })
    const expires_at = this.#world.clock.now() + longestPlay
    const changes = notes.map(
      (note): LedgerChange => ({ key: this.#key(note), set: { ...note }, expires_at }),
    )
    for (let at = 0; at < changes.length; at += 100)
      await this.#world.ledger.transact(changes.slice(at, at + 100))
    for (const note of notes) taken.set(nameOf(note), note)
  }

  async forget(queue: QueueName, receipt: string): Promise<void> {
    const taken = await this.#read()
    const note = taken.get(nameOf({ queue, receipt }))
    if (note === undefined) return
    await this.#world.ledger.update({ key: this.#key(note), delete: true })
    taken.delete(nameOf(note))
  }

  async hasTaken(queue: QueueName, receipt: string): Promise<boolean> {
    return this.#some((note) => note.queue === queue && note.receipt === receipt)
  }

  async hasEpisode(run: string, episode: string): Promise<boolean> {
    return this.#some((note) => note.run === run && note.episode === episode)
  }

  async hasRun(run: string): Promise<boolean> {
    return this.#some((note) => note.run === run)
  }

  async #some(isWanted: (note: TakenMessage) => boolean): Promise<boolean> {
    if ([...(await this.#read()).values()].some(isWanted)) return true
    this.#taken = null
    return [...(await this.#read()).values()].some(isWanted)
  }

  #read(): Promise<Map<string, TakenMessage>> {
    const reading = this.#taken ?? this.#readNow()
    this.#taken = reading
    reading.catch(() => {
      if (this.#taken === reading) this.#taken = null
    })
    return reading
  }

  async #readNow(): Promise<Map<string, TakenMessage>> {
    const taken = new Map<string, TakenMessage>()
    for await (const page of pagesOf(this.#world.ledger, ledgerKeys.taken(this.#worker.name, '').partition)) {
      for (const { item } of page) {
        const note = item as unknown as TakenMessage
        taken.set(nameOf(note), note)
      }
    }
    return taken
  }

  #key(note: TakenMessage) {
    return ledgerKeys.taken(this.#worker.name, nameOf(note))
  }
}

function nameOf({ queue, receipt }: Pick<TakenMessage, 'queue' | 'receipt'>): string {
  return `${queue}/${receipt}`
}
