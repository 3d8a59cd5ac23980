import { type Episode, type EpisodeStatus, episodeId, episodeIndex } from '../../contracts/episode.ts'
import { EspalierError } from '../../contracts/errors.ts'
import { type List, type ListQuery, toList } from '../../contracts/list.ts'
import { pagesOf } from '../../world/pages-of.ts'
import type { World } from '../../world/ports.ts'
import type { JournalRecord } from '../journal-record.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { readJournal } from '../read-journal.ts'
import type { RunDefinitions } from '../runs/run-definition.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { StoredOrLive } from '../runs/runs.ts'
import type { EpisodePrograms, EpisodeSummary } from './episode-program.ts'
import { type EpisodeRow, hasEnded, newEpisodeRow, toEpisode } from './episode-row.ts'

/** How many items are read at a time while filtering. */
const pageSize = 500

/** The episodes of runs as they can be read. Those that were never queued have no item yet, and are shown as waiting. */
export class EpisodeList {
  readonly #world: World
  readonly #definitions: RunDefinitions
  readonly #programs: EpisodePrograms

  constructor({
    world,
    definitions,
    programs,
  }: { world: World; definitions: RunDefinitions; programs: EpisodePrograms }) {
    this.#world = world
    this.#definitions = definitions
    this.#programs = programs
  }

  async list(
    run: RunRow,
    { after, limit, status }: ListQuery & { status?: EpisodeStatus },
  ): Promise<List<Episode>> {
    const found: Episode[] = []
    for await (const episode of this.#from(run, after === undefined ? 0 : this.#index(run, after) + 1)) {
      if (status !== undefined && episode.status !== status) continue
      if (found.length === limit) return toList(found, true)
      found.push(episode)
    }
    return toList(found, false)
  }

  async get(run: RunRow, episode: string): Promise<Episode> {
    const index = this.#index(run, episode)
    return this.#show(run, index, await this.#row(run.id, episode))
  }

  /** The positions of all episodes with a status. */
  async indices(run: string, status: EpisodeStatus): Promise<number[]> {
    const { partition } = ledgerKeys.episode(run, '')
    const indices: number[] = []
    for await (const page of pagesOf(this.#world.ledger, partition)) {
      for (const { item } of page) if (item.status === status) indices.push(Number(item.index))
    }
    return indices.toSorted((left, right) => left - right)
  }

  tree(run: RunRow, episode: string): Promise<StoredOrLive> {
    return this.#storedOrLive(run, episode, objectKeys.tree(run.id, episode), (summary) => summary.tree)
  }

  trajectory(run: RunRow, episode: string): Promise<StoredOrLive> {
    return this.#storedOrLive(
      run,
      episode,
      objectKeys.trajectory(run.id, episode),
      (summary) => summary.trajectory,
    )
  }

  async journal(run: RunRow, episode: string): Promise<JournalRecord[]> {
    this.#index(run, episode)
    return this.#read(run.id, episode, await this.#row(run.id, episode))
  }

  async *#from(run: RunRow, start: number): AsyncGenerator<Episode> {
    const { partition } = ledgerKeys.episode(run.id, '')
    for (let index = start; index < run.total; ) {
      const after = index === 0 ? {} : { after: episodeId(index - 1) }
      const page = await this.#world.ledger.query(partition, { ...after, limit: pageSize })
      const rows = new Map(page.items.map(({ item }) => [Number(item.index), item as EpisodeRow]))
      for (const end = Math.min(run.total, index + pageSize); index < end; index += 1) {
        yield await this.#show(run, index, rows.get(index) ?? null)
      }
    }
  }

  async #show(run: RunRow, index: number, row: EpisodeRow | null): Promise<Episode> {
    const place = await this.#definitions.place(run, index)
    const shown = row ?? newEpisodeRow(index, run.generation)
    const isInWork = run.work === 'all' || shown.status === 'errored'
    const isWaiting = !hasEnded(shown) || (isInWork && shown.generation < run.generation)
    const status = !isWaiting
      ? shown.status
      : run.status === 'cancelled'
        ? 'cancelled'
        : hasEnded(shown)
          ? 'queued'
          : shown.status
    return toEpisode(run.id, place, { ...shown, status })
  }

  /** @throws EspalierError `not_found` */
  #index(run: RunRow, episode: string): number {
    const index = episodeIndex(episode)
    if (index === null || index >= run.total) {
      throw new EspalierError(
        'not_found',
        `The run ${run.id} has no episode "${episode}". Its ${run.total} episodes are ${episodeId(0)} to ${episodeId(run.total - 1)}.`,
        { param: 'episode' },
      )
    }
    return index
  }

  async #storedOrLive(
    run: RunRow,
    episode: string,
    key: string,
    pick: (summary: EpisodeSummary) => unknown,
  ): Promise<StoredOrLive> {
    const index = this.#index(run, episode)
    const row = await this.#row(run.id, episode)
    // A cancelled episode may have a tree from before it was extended; its journal is what it came to.
    const isPublished = row && hasEnded(row) && row.status !== 'cancelled'
    if (isPublished && (await this.#world.objects.head(key))) return { stored: key }
    const records = await this.#read(run.id, episode, row)
    const { request } = await this.#definitions.get(run)
    const summary = await this.#programs.summarise(
      run.id,
      request,
      await this.#definitions.place(run, index),
      records,
    )
    const live = summary && pick(summary)
    if (run.purpose === 'annotate') {
      throw new EspalierError(
        'not_found',
        `The episode ${episode} asks a model about another one, which is its task. Only that one has a tree.`,
        { param: 'episode' },
      )
    }
    if (!live) {
      throw new EspalierError(
        'not_found',
        `The episode ${episode} has written nothing yet. Try again when it has started.`,
        {
          param: 'episode',
        },
      )
    }
    return { live }
  }
  async #row(run: string, episode: string): Promise<EpisodeRow | null> {
    return (await this.#world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
  }

  async #read(run: string, episode: string, row: EpisodeRow | null): Promise<JournalRecord[]> {
    const prefix = objectKeys.journal(run, episode, row?.attempt ?? 1)
    return (await readJournal(this.#world.objects, prefix)).records
  }
}
