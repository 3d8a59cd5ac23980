import { gunzipSync } from 'node:zlib'
import {
  type DatasetRequest,
  type DatasetRequestInput,
  datasetRequestSchema,
} from '../../../shared/core/contracts/dataset.ts'
import { type Episode, type EpisodeStatus, episodeIndex } from '../../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { toList } from '../../../shared/core/contracts/list.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { TokenRecord } from '../../../shared/core/contracts/token-record.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import type { Runs } from '../../../shared/core/engine/runs/runs.ts'
import type { Objects } from '../../../shared/core/world/ports.ts'
import type { SourceRuns } from '../../../shared/data/datasets/open-attempts.ts'
import { endedEpisode, queuedEpisode } from '../../builders/episodes.ts'
import { makeRun } from '../../builders/runs.ts'
import { forkedPath } from '../../builders/trees.ts'

export interface PlayedEpisode {
  status: EpisodeStatus
  reward: number | null
  tree: Tree
}

export const solved = (task: string, length = 3): PlayedEpisode => ({
  status: 'succeeded',
  reward: 1,
  tree: forkedPath(task, length),
})

export const request = (rest: DatasetRequestInput = {}): DatasetRequest =>
  datasetRequestSchema.parse({ runs: ['run-1'], ...rest })

export const unsolved = (status: PlayedEpisode['status'], reward: number | null = null): PlayedEpisode => ({
  status,
  reward,
  tree: forkedPath('unsolved', 2),
})

/** So many episodes, every third of which failed. */
export const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 3 === 2 ? unsolved('failed', 0) : solved(`task-${index}`, (index % 4) + 1),
  )

/** `Runs` over trees written by hand, stored where the engine stores them. */
export class StoredRuns implements SourceRuns {
  treesRead = 0
  readonly #runs: Record<string, PlayedEpisode[]>
  readonly #objects: Objects
  readonly #stored = new Set<string>()

  constructor(objects: Objects, runs: Record<string, PlayedEpisode[]>) {
    this.#objects = objects
    this.#runs = runs
  }

  /** What an episode is from now on. */
  replay(run: string, index: number, played: PlayedEpisode): void {
    this.#played(run)[index] = played
  }

  async get(id: string): Promise<Run> {
    const played = this.#played(id)
    const count = (status: EpisodeStatus) => played.filter((episode) => episode.status === status).length
    return makeRun({
      id,
      status: 'succeeded',
      episodes: {
        waiting: count('queued'),
        active: count('running'),
        succeeded: count('succeeded'),
        failed: count('failed'),
        limited: count('limited'),
        errored: count('errored'),
        cancelled: count('cancelled'),
      },
      request: { method: { id: 'mcts' }, model: { endpoint: 'simulated', id: 'gardener' } },
    })
  }

  async episodes(run: string, { after, limit }: Parameters<Runs['episodes']>[1]) {
    const all = this.#played(run).map((played, index) => this.#episode(run, played, index))
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    const page = all.slice(start, start + limit)
    return toList(page, start + page.length < all.length)
  }

  async episode(run: string, episode: string): Promise<Episode> {
    const index = episodeIndex(episode) ?? -1
    const played = this.#played(run)[index]
    if (played === undefined) throw new EspalierError('not_found', `There is no episode "${episode}".`)
    return this.#episode(run, played, index)
  }

  async journal(): Promise<JournalRecord[]> {
    return []
  }

  async tokens(): Promise<TokenRecord[]> {
    return []
  }

  async tree(run: string, episode: string) {
    this.treesRead += 1
    await this.episode(run, episode)
    const played = this.#played(run)[episodeIndex(episode) ?? -1] as PlayedEpisode
    const stored = `runs/${run}/episodes/${episode}/tree.json`
    if (!this.#stored.has(stored)) await this.#objects.put(stored, Buffer.from(JSON.stringify(played.tree)))
    this.#stored.add(stored)
    return { stored }
  }

  #played(run: string): PlayedEpisode[] {
    const played = this.#runs[run]
    if (played === undefined)
      throw new EspalierError('not_found', `There is no run "${run}".`, { param: 'run' })
    return played
  }

  #episode(run: string, { status, reward, tree }: PlayedEpisode, index: number): Episode {
    if (status === 'queued' || status === 'running') {
      return queuedEpisode(index, tree.task, { run, status, starts: 1 })
    }
    const ended = endedEpisode(index, tree.task, reward, {
      status,
      limit: status === 'limited' ? 'steps' : null,
      error: status === 'errored' ? { name: 'HostLost', message: 'The host left.', effect: null } : null,
      nodes: tree.nodes.length,
    })
    return { ...ended, run }
  }
}

/** The lines of a stored `.jsonl.gz` file, parsed. */
export async function readLines(objects: Objects, key: string): Promise<unknown[]> {
  const object = await objects.get(key)
  if (object === null) throw new Error(`${key} is missing`)
  const text = gunzipSync(object.body).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
