import { z } from 'zod'
import { compress, decompress } from '../../core/engine/gzip.ts'
import { objectKeys } from '../../core/engine/keys.ts'
import type { Objects } from '../../core/world/ports.ts'
import type { EpisodePassages } from './passage.ts'
import { findMatches } from './text-query.ts'
import {
  episodesOfPart,
  type FoundPassage,
  type IndexSummary,
  nothingIndexed,
  type PassageHits,
  type PassagePlace,
  type PassageQuery,
  type TranscriptIndex,
} from './transcript-index.ts'

const mostTries = 8

const stateSchema = z.object({
  settled: z.string().nullable(),
  episodes: z.record(z.string(), z.string()).describe('Versions by position.'),
  cut: z.array(z.int()),
})

type State = z.infer<typeof stateSchema>

const empty: State = { settled: null, episodes: {}, cut: [] }

/**
 * An index in objects beside those of its run, read through at each search: for a world in which nothing runs between
 * requests. One object lists the indexed episodes, the others hold the passages of a few episodes each. They have the
 * run's own prefix and are removed with it.
 */
export class ObjectIndex implements TranscriptIndex {
  readonly #objects: Pick<Objects, 'get' | 'put'>

  constructor(objects: Pick<Objects, 'get' | 'put'>) {
    this.#objects = objects
  }

  async summary(run: string): Promise<IndexSummary> {
    const state = await this.#state(run)
    return state === null ? nothingIndexed : { settled: state.settled, cut: state.cut.length }
  }

  async versions(run: string): Promise<ReadonlyMap<number, string>> {
    const { episodes } = (await this.#state(run)) ?? empty
    return new Map(Object.entries(episodes).map(([index, version]) => [Number(index), version]))
  }

  async put(run: string, episodes: readonly EpisodePassages[]): Promise<void> {
    const byPart = Map.groupBy(episodes, ({ index }) => Math.floor(index / episodesOfPart))
    for (const [part, own] of byPart) {
      await this.#change(objectKeys.transcriptPart(run, part), async (body) => {
        const kept = body === null ? [] : await readPart(body)
        const others = kept.filter(({ index }) => own.every((each) => each.index !== index))
        const all = [...others, ...own].sort((one, other) => one.index - other.index)
        return compress(all.map((episode) => JSON.stringify(episode)).join('\n'))
      })
    }
    await this.#changeState(run, (state) => {
      const versions = episodes.map(({ index, version }) => [String(index), version])
      const changed = new Set(episodes.map(({ index }) => index))
      const cut = episodes.flatMap(({ index, is_cut }) => (is_cut ? [index] : []))
      return {
        ...state,
        episodes: { ...state.episodes, ...Object.fromEntries(versions) },
        cut: [...state.cut.filter((index) => !changed.has(index)), ...cut],
      }
    })
  }

  settle(run: string, mark: string): Promise<void> {
    return this.#changeState(run, (state) => ({ ...state, settled: mark }))
  }

  async search(run: string, query: PassageQuery): Promise<PassageHits> {
    const { after, isOver = () => false, limit } = query
    const { episodes } = (await this.#state(run)) ?? empty
    const from = Math.floor((after?.episode ?? 0) / episodesOfPart)
    const parts = new Set(Object.keys(episodes).map((index) => Math.floor(Number(index) / episodesOfPart)))
    const found: FoundPassage[] = []
    let lookedAt: PassagePlace | null = null
    for (const part of [...parts].filter((each) => each >= from).sort((one, other) => one - other)) {
      if (lookedAt !== null && isOver()) return { found, stoppedAt: lookedAt }
      const object = await this.#objects.get(objectKeys.transcriptPart(run, part))
      for (const episode of object === null ? [] : await readPart(object.body)) {
        for (const each of passagesOf(episode, query)) {
          found.push(each)
          if (found.length === limit) return { found, stoppedAt: null }
        }
        const end = { episode: episode.index, passage: Math.max(0, episode.passages.length - 1) }
        if (after === undefined || isBehind(end, after)) lookedAt = end
      }
    }
    return { found, stoppedAt: null }
  }

  async remove(): Promise<void> {
    // The engine removes everything under the prefix of a deleted run.
  }

  async close(): Promise<void> {}

  async #state(run: string): Promise<State | null> {
    const object = await this.#objects.get(objectKeys.transcripts(run))
    return object === null ? null : readState(object.body)
  }

  #changeState(run: string, change: (state: State) => State): Promise<void> {
    return this.#change(objectKeys.transcripts(run), async (body) =>
      Buffer.from(JSON.stringify(change(body === null ? empty : readState(body)))),
    )
  }

  async #change(key: string, change: (body: Uint8Array | null) => Promise<Uint8Array>): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const before = await this.#objects.get(key)
      const condition = before === null ? ({ if_none_match: '*' } as const) : { if_match: before.etag }
      const { written } = await this.#objects.put(key, await change(before?.body ?? null), condition)
      if (written) return
    }
    throw new Error(`${key} was changed by others ${mostTries} times in a row.`)
  }
}

function readState(body: Uint8Array): State {
  return stateSchema.parse(JSON.parse(Buffer.from(body).toString('utf8')))
}

async function readPart(body: Uint8Array): Promise<EpisodePassages[]> {
  const lines = (await decompress(body)).toString('utf8').split('\n')
  return lines.map((line) => JSON.parse(line) as EpisodePassages)
}

function isBehind(place: PassagePlace, after: PassagePlace): boolean {
  return place.episode > after.episode || (place.episode === after.episode && place.passage > after.passage)
}

function* passagesOf(
  { passages, ...episode }: EpisodePassages,
  query: PassageQuery,
): Generator<FoundPassage> {
  const { after, finish_reason, kind, outcome, text } = query
  if (outcome !== undefined && episode.outcome !== outcome) return
  if (after !== undefined && episode.index < after.episode) return
  for (const [position, passage] of passages.entries()) {
    if (episode.index === after?.episode && position <= after.passage) continue
    if (kind !== undefined && passage.kind !== kind) continue
    if (finish_reason !== undefined && passage.finish_reason !== finish_reason) continue
    if (findMatches(passage.text, text) === null) continue
    yield { place: { episode: episode.index, passage: position }, episode, passage }
  }
}
