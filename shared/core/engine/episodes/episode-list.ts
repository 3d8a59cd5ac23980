import { type EndReason, endReason } from '../../contracts/end-reason.ts'
import {
  type Episode,
  type EpisodeFilter,
  type EpisodeStatus,
  episodeId,
  episodeIndex,
} from '../../contracts/episode.ts'
import { EspalierError } from '../../contracts/errors.ts'
import { type List, type ListQuery, toList } from '../../contracts/list.ts'
import type { TokenRecord } from '../../contracts/token-record.ts'
import { pagesOf } from '../../world/pages-of.ts'
import type { World } from '../../world/ports.ts'
import { FirstOf } from '../first-of.ts'
import type { JournalRecord } from '../journal-record.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { firstSegments, readJournal } from '../read-journal.ts'
import type { EpisodePlace, RunDefinitions } from '../runs/run-definition.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { StoredOrLive } from '../runs/runs.ts'
import { readTokens } from '../tokens/token-log.ts'
import { ColumnCache, EpisodeColumns } from './episode-columns.ts'
import { comparePositions, type EpisodePosition, positionOf } from './episode-order.ts'
import type { EpisodePrograms } from './episode-program.ts'
import {
  type EpisodeRow,
  endIfCancelled,
  hasEnded,
  newEpisodeRow,
  requestOfEpisode,
  showsEnd,
  toEpisode,
} from './episode-row.ts'

const pageSize = 500

export type EpisodeQuery = ListQuery & Partial<EpisodeFilter>

type SortedQuery = Pick<EpisodeFilter, 'sort' | 'order'> &
  Pick<EpisodeQuery, 'after' | 'limit'> & { passes: Passes }

interface ShownEpisode {
  place: EpisodePlace
  row: EpisodeRow
  status: EpisodeStatus
}

type Passes = (
  episode: Pick<ShownEpisode, 'place' | 'status'> & { reason: () => EndReason | null },
) => boolean

export class EpisodeList {
  readonly #world: World
  readonly #definitions: RunDefinitions
  readonly #programs: EpisodePrograms
  readonly #columns = new ColumnCache()

  constructor({
    world,
    definitions,
    programs,
  }: { world: World; definitions: RunDefinitions; programs: EpisodePrograms }) {
    this.#world = world
    this.#definitions = definitions
    this.#programs = programs
  }

  /**
   * Returns a page of the matching episodes. Sorted by index, it reads on from the previous page's end until it has
   * enough; sorted by a figure, it reads the whole run and keeps only the page, and of an ended run the figures.
   */
  async list(run: RunRow, query: EpisodeQuery): Promise<List<Episode>> {
    const { after, limit, sort = 'index', order = 'asc' } = query
    const passes = toFilter(query)
    if (sort !== 'index') return this.#sorted(run, { after, limit, passes: passes ?? everyOne, sort, order })
    const start = this.#start(run, after, order)
    const size = passes === null ? limit + 1 : pageSize
    const found: ShownEpisode[] = []
    for await (const chunk of this.#chunks(run, { start, order, size })) {
      for (const shown of chunk) if (passes === null || passes(withReason(shown))) found.push(shown)
      if (found.length > limit) break
    }
    return toList(
      found.slice(0, limit).map((shown) => show(run, shown)),
      found.length > limit,
    )
  }

  async get(run: RunRow, episode: string): Promise<Episode> {
    const index = this.#index(run, episode)
    return this.#show(run, index, await this.#row(run.id, episode))
  }

  async indices(run: string, status: EpisodeStatus): Promise<number[]> {
    const { partition } = ledgerKeys.episode(run, '')
    const indices: number[] = []
    for await (const page of pagesOf(this.#world.ledger, partition)) {
      for (const { item } of page) if (item.status === status) indices.push(Number(item.index))
    }
    return indices.toSorted((left, right) => left - right)
  }

  tree(run: RunRow, episode: string): Promise<StoredOrLive> {
    return this.#storedOrLive(run, episode, 'tree')
  }

  trajectory(run: RunRow, episode: string): Promise<StoredOrLive> {
    return this.#storedOrLive(run, episode, 'trajectory')
  }

  async journal(run: RunRow, episode: string): Promise<JournalRecord[]> {
    this.#index(run, episode)
    return this.#read(run.id, episode, await this.#row(run.id, episode))
  }

  async tokens(run: RunRow, episode: string): Promise<TokenRecord[]> {
    this.#index(run, episode)
    const row = await this.#row(run.id, episode)
    const prefix = objectKeys.tokens(run.id, episode, shownAttempt(row))
    return readTokens(this.#world.objects, prefix, await this.#read(run.id, episode, row))
  }

  async #sorted(run: RunRow, { after, limit, passes, ...ordering }: SortedQuery): Promise<List<Episode>> {
    const compare = (left: EpisodePosition, right: EpisodePosition) => comparePositions(left, right, ordering)
    const behind = after === undefined ? null : positionOf(await this.#behind(run, after), ordering)
    const columns = await this.#columns.get(run, () => this.#readColumns(run))
    if (columns !== null) {
      const { sort } = ordering
      const placeOf = await this.#definitions.places(run)
      const at = (index: number) => ({
        key: sort === 'task' ? placeOf(index).task : sort === 'index' ? index : columns.figure(index, sort),
        index,
      })
      const page: number[] = []
      for (const index of columns.sorted(ordering, at)) {
        if (page.length > limit) break
        if (behind !== null && compare(at(index), behind) <= 0) continue
        const episode = { place: placeOf(index), status: columns.status(index) }
        if (passes({ ...episode, reason: () => columns.reason(index) })) page.push(index)
      }
      const rows = page.slice(0, limit).map((index) => this.#row(run.id, episodeId(index)))
      const shown = (await Promise.all(rows)).map((row, nth) =>
        show(run, stand(run, placeOf(page[nth] as number), row)),
      )
      return toList(shown, page.length > limit)
    }
    type Placed = { position: EpisodePosition; shown: ShownEpisode }
    const first = new FirstOf<Placed>(limit + 1, (left, right) => compare(left.position, right.position))
    for await (const chunk of this.#chunks(run, { start: 0, order: 'asc', size: pageSize })) {
      for (const shown of chunk) {
        if (!passes(withReason(shown))) continue
        const position = positionOf(figuresOf(shown), ordering)
        if (behind === null || compare(position, behind) > 0) first.add({ position, shown })
      }
    }
    const page = first.values().map(({ shown }) => show(run, shown))
    return toList(page.slice(0, limit), page.length > limit)
  }

  async #readColumns(run: RunRow): Promise<EpisodeColumns> {
    const columns = new EpisodeColumns(run.total)
    for await (const chunk of this.#chunks(run, { start: 0, order: 'asc', size: pageSize }))
      for (const { place, row, status } of chunk)
        columns.set({ index: place.index, status, result: row.result })
    return columns
  }

  #start(run: RunRow, after: string | undefined, order: EpisodeFilter['order']): number {
    const step = order === 'asc' ? 1 : -1
    if (after !== undefined) return this.#after(run, after) + step
    return order === 'asc' ? 0 : run.total - 1
  }

  async #behind(run: RunRow, after: string): Promise<Episode> {
    return this.#show(run, this.#after(run, after), await this.#row(run.id, after))
  }

  #after(run: RunRow, after: string): number {
    const index = episodeIndex(after)
    if (index !== null && index < run.total) return index
    throw new EspalierError(
      'invalid_request',
      `No episode has the id "${after}". Give the last_id of the page before, or leave "after" out.`,
      { param: 'after' },
    )
  }

  async *#chunks(
    run: RunRow,
    { start, order, size }: { start: number; order: EpisodeFilter['order']; size: number },
  ): AsyncGenerator<ShownEpisode[]> {
    const placeOf = await this.#definitions.places(run)
    const isUp = order === 'asc'
    for (let at = start; at >= 0 && at < run.total; at += isUp ? size : -size) {
      const first = isUp ? at : Math.max(0, at - size + 1)
      const end = Math.min(isUp ? run.total : at + 1, first + size)
      const rows = await this.#rows(run.id, first, end)
      const chunk = Array.from({ length: end - first }, (_, offset) => {
        const index = first + offset
        return stand(run, placeOf(index), rows.get(index) ?? null)
      })
      yield isUp ? chunk : chunk.reverse()
    }
  }

  async #rows(run: string, first: number, end: number): Promise<Map<number, EpisodeRow>> {
    const { partition } = ledgerKeys.episode(run, '')
    const after = first === 0 ? {} : { after: episodeId(first - 1) }
    const page = await this.#world.ledger.query(partition, { ...after, limit: end - first })
    return new Map(page.items.map(({ item }) => [Number(item.index), item as EpisodeRow]))
  }

  async #show(run: RunRow, index: number, row: EpisodeRow | null): Promise<Episode> {
    return show(run, stand(run, await this.#definitions.place(run, index), row))
  }

  #index(run: RunRow, episode: string): number {
    const index = episodeIndex(episode)
    if (index === null || index >= run.total) {
      throw new EspalierError(
        'not_found',
        `The run ${run.id} has no episode "${episode}".${suggestEpisode(episode, run.total)} Its ${run.total} episodes are ${episodeId(0)} to ${episodeId(run.total - 1)}.`,
        { param: 'episode' },
      )
    }
    return index
  }

  async #storedOrLive(run: RunRow, episode: string, kind: 'tree' | 'trajectory'): Promise<StoredOrLive> {
    const index = this.#index(run, episode)
    const row = await this.#row(run.id, episode)
    if (row !== null && showsEnd(row)) {
      const stored = objectKeys[kind](run.id, episode, row.ended?.generation)
      if (await this.#world.objects.head(stored)) return { stored }
    }
    const records = await this.#read(run.id, episode, row)
    const { request } = await this.#definitions.get(run)
    const place = await this.#definitions.place(run, index)
    const summary = await this.#programs.summarise(run.id, requestOfEpisode(request, row), place, records)
    const live = summary?.[kind]
    if (run.purpose === 'annotate') {
      throw new EspalierError(
        'not_found',
        `The episode ${episode} asks a model about another one, which is its task. Only that one has a tree.`,
        { param: 'episode' },
      )
    }
    if (live) return { live }
    const why =
      summary === null
        ? 'ended before it began'
        : place.purpose === 'play'
          ? 'answers without an action'
          : 'plays no task'
    const message = hasEnded(stand(run, place, row))
      ? `${why}, so it has no ${kind}`
      : 'has written nothing yet. Try again when it has started'
    throw new EspalierError('not_found', `The episode ${episode} ${message}.`, { param: 'episode' })
  }
  async #row(run: string, episode: string): Promise<EpisodeRow | null> {
    return (await this.#world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
  }

  async #read(run: string, episode: string, row: EpisodeRow | null): Promise<JournalRecord[]> {
    const end = endOf(row)
    const prefix = objectKeys.journal(run, episode, shownAttempt(row))
    const { records } = await readJournal(this.#world.objects, prefix)
    const segments = end?.ended?.segments ?? null
    return segments === null ? records : firstSegments(records, segments)
  }
}

function endOf(row: EpisodeRow | null) {
  return row !== null && showsEnd(row) ? row : null
}

function shownAttempt(row: EpisodeRow | null): number {
  const end = endOf(row)
  return end?.result.attempt ?? row?.attempt ?? 1
}

function toFilter({ reason, status, task }: Partial<EpisodeFilter>): Passes | null {
  if (reason === undefined && status === undefined && task === undefined) return null
  const wanted = task?.toLowerCase()
  return (episode) =>
    (status === undefined || episode.status === status) &&
    (reason === undefined || episode.reason() === reason) &&
    (wanted === undefined || episode.place.task.toLowerCase().includes(wanted))
}

const everyOne: Passes = () => true

function withReason(shown: ShownEpisode) {
  return { ...shown, reason: () => endReason({ status: shown.status, result: shown.row.result }) }
}

function stand(run: RunRow, place: EpisodePlace, stored: EpisodeRow | null): ShownEpisode {
  const row = stored ?? newEpisodeRow(place.index, run.generation)
  const isInWork = run.work === 'all' || row.status === 'errored'
  const isWaiting = hasEnded(row) && isInWork && row.generation < run.generation
  const isOpen = isWaiting || !hasEnded(row)
  const going = isWaiting ? 'queued' : row.status
  return { place, row, status: isOpen && run.status === 'cancelled' ? endIfCancelled(row) : going }
}

function show(run: RunRow, { place, row, status }: ShownEpisode): Episode {
  return toEpisode(run.id, place, { ...row, status })
}

function figuresOf({ place, row }: ShownEpisode): Pick<Episode, 'index' | 'task' | 'result'> {
  return { index: place.index, task: place.task, result: row.result }
}

/** An id with another length or dress has the number of the episode that was meant. */
function suggestEpisode(written: string, total: number): string {
  const [digits] = /\d{1,15}(?=\D*$)/.exec(written) ?? []
  return digits === undefined || Number(digits) >= total
    ? ''
    : ` Did you mean "${episodeId(Number(digits))}"?`
}
