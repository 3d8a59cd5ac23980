import { type EpisodeResult, episodeId, episodeIndex } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Run } from '../../core/contracts/run.ts'
import type {
  TranscriptHit,
  TranscriptHits,
  TranscriptQuery,
} from '../../core/contracts/transcript-search.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { Serially } from '../../core/engine/serially.ts'
import { catchUp, markOf } from './catch-up.ts'
import { cutSnippet } from './cut-snippet.ts'
import { type SearchedRuns, searchedRuns } from './searched-runs.ts'
import { findMatches, parseTextQuery, type TextQuery } from './text-query.ts'
import {
  type FoundPassage,
  nothingIndexed,
  type PassageHits,
  type PassagePlace,
  type TranscriptIndex,
} from './transcript-index.ts'

export interface Transcripts {
  /**
   * A page of the passages that match the whole query, newest runs first. It first indexes ended episodes that the
   * index lacks, for some seconds; the answer has the number still missing.
   * @throws EspalierError `invalid_request` for an invalid query and for an unknown `after`; `not_found` for a run
   */
  search(query: TranscriptQuery): Promise<TranscriptHits>
  forget(run: string): Promise<void>
}

export interface TranscriptNeeds {
  index: TranscriptIndex
  runs: Pick<Runs, 'get' | 'list' | 'episodes' | 'journal'>
  now: () => number
  onError: (error: unknown, what: string) => void
  /**
   * Milliseconds for which a search indexes, and after which it returns its hits so far. @default 4 and 10 seconds
   */
  times?: { index: number; search: number }
}

const usualTimes = { index: 4000, search: 10_000 }

const mostAtOnce = 32

const noHits: PassageHits = { found: [], stoppedAt: null }

/** Of one process: two searches do not index the same run concurrently. */
const indexing = new Serially()

export function openTranscripts(needs: TranscriptNeeds): Transcripts {
  const { index, now, onError, runs, times = usualTimes } = needs

  async function indexRuns(searched: readonly Run[]): Promise<IndexState> {
    const until = now() + times.index
    const isOver = () => now() > until
    const state = { not_indexed: 0, cut_episodes: 0 }
    let isFirst = true
    for (let at = 0; at < searched.length; at += mostAtOnce) {
      const some = searched.slice(at, at + mostAtOnce)
      const before = await Promise.all(some.map(({ id }) => index.summary(id)))
      for (const [place, run] of some.entries()) {
        const { cut, settled } = before[place] ?? nothingIndexed
        if (settled !== null && settled === markOf(run, now())) {
          state.cut_episodes += cut
          continue
        }
        const needed = { index, runs, now, isFirst, isOver, onError }
        state.not_indexed += await indexing.run(run.id, () => catchUp(needed, run))
        isFirst = false
        state.cut_episodes += (await index.summary(run.id)).cut
      }
    }
    return state
  }

  return {
    async search(query) {
      const text = parseTextQuery(query.q)
      const after = query.after === undefined ? null : readPlace(query.after)
      const searched = await searchedRuns(runs, query, after)
      const state = await indexRuns(searched.runs)
      const until = now() + times.search
      const isOver = () => now() >= until
      const { finish_reason, kind, limit, outcome } = query
      const data: TranscriptHit[] = []
      let last: string | null = null
      // The fewer hits, the more runs at a time: usually the first ones fill a page.
      for (let at = 0, atOnce = 1; at < searched.runs.length; at += atOnce, atOnce *= 2) {
        atOnce = Math.min(atOnce, mostAtOnce)
        if (last !== null && isOver()) return toPage(data, searched, state, last)
        const some = searched.runs.slice(at, at + atOnce)
        const wanted = { text, kind, finish_reason, outcome, isOver, limit: limit + 1 - data.length }
        const hits = await Promise.all(
          some.map(({ id }) =>
            index.search(id, { ...wanted, after: after?.run === id ? after.place : undefined }),
          ),
        )
        for (const [position, run] of some.entries()) {
          const { found, stoppedAt } = hits[position] ?? noHits
          data.push(...found.map((each) => toHit(run, each, text)))
          if (data.length > limit) {
            const page = data.slice(0, limit)
            return toPage(page, searched, state, page.at(-1)?.id ?? null)
          }
          // The hits of the later runs would be out of order, so the next page finds them again.
          if (stoppedAt !== null) return toPage(data, searched, state, placeName(run.id, stoppedAt))
          last = run.id
        }
      }
      return toPage(data, searched, state, searched.more ? (searched.last ?? last) : null)
    },
    forget: (run) => index.remove(run),
  }
}

type IndexState = Pick<TranscriptHits, 'not_indexed' | 'cut_episodes'>

function toPage(
  data: TranscriptHit[],
  { more, runs }: SearchedRuns,
  state: IndexState,
  next: string | null,
): TranscriptHits {
  return {
    object: 'list',
    data,
    has_more: next !== null,
    first_id: data[0]?.id ?? null,
    last_id: next ?? data.at(-1)?.id ?? null,
    runs: runs.length,
    more_runs: more,
    ...state,
  }
}

function toHit(
  { id: run, request }: Run,
  { episode, passage, place }: FoundPassage,
  text: TextQuery,
): TranscriptHit {
  const { finish_reason, kind, node, role } = passage
  const { outcome, reward, success, task } = episode
  const figures: Pick<EpisodeResult, 'reward' | 'success'> = { reward, success }
  return {
    id: placeName(run, place),
    object: 'transcript_hit',
    run,
    run_name: request.name ?? null,
    episode: episodeId(place.episode),
    task,
    environment: request.environment,
    method: request.method.id,
    outcome,
    ...figures,
    node,
    kind,
    role,
    finish_reason,
    snippet: cutSnippet(passage.text, findMatches(passage.text, text) ?? []),
  }
}

function placeName(run: string, { episode, passage }: PassagePlace): string {
  return `${run}/${episodeId(episode)}/${passage}`
}

export interface SearchPlace {
  run: string
  place?: PassagePlace
}

function readPlace(after: string): SearchPlace {
  const [run = '', episode, passage, ...rest] = after.split('/')
  if (run !== '' && episode === undefined) return { run }
  const index = episodeIndex(episode ?? '')
  if (run !== '' && index !== null && /^\d{1,9}$/.test(passage ?? '') && rest.length === 0) {
    return { run, place: { episode: index, passage: Number(passage) } }
  }
  throw new EspalierError(
    'invalid_request',
    `No place in the transcripts is called "${after}". Give the last_id of the page before, or leave "after" out.`,
    { param: 'after' },
  )
}
