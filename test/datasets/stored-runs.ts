import { gunzipSync } from 'node:zlib'
import {
  type DatasetRequest,
  type DatasetRequestInput,
  datasetRequestSchema,
} from '../../shared/contracts/dataset.ts'
import { type Episode, type EpisodeStatus, episodeId, episodeIndex } from '../../shared/contracts/episode.ts'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { toList } from '../../shared/contracts/list.ts'
import type { Message } from '../../shared/contracts/message.ts'
import { type Run, runSchema } from '../../shared/contracts/run.ts'
import type { Tree, TreeNode } from '../../shared/contracts/tree.ts'
import type { SourceRuns } from '../../shared/datasets/open-attempts.ts'
import type { JournalRecord } from '../../shared/engine/journal-record.ts'
import type { Runs } from '../../shared/engine/runs/runs.ts'
import type { Objects } from '../../shared/world/ports.ts'

export interface PlayedEpisode {
  status: EpisodeStatus
  reward: number | null
  tree: Tree
}

export const head: Message[] = [
  { role: 'system', content: 'You craft items.' },
  { role: 'user', content: 'Goal: a stick.' },
  { role: 'assistant', content: 'OK' },
  { role: 'user', content: 'You see a log.' },
]

/** A node after one action; what is not given is what most tests do not look at. */
export function treeNode(parent: number | null, name: string, rest: Partial<TreeNode> = {}): TreeNode {
  return {
    parent,
    depth: 0,
    action: parent === null ? null : name,
    message: parent === null ? null : `Action: ${name}`,
    observation: [{ type: 'text', text: `after ${name}` }],
    reward: 0,
    terminal: false,
    done: false,
    disaster: false,
    visits: 0,
    value: 0,
    prior: 0,
    state_hash: null,
    ...rest,
  }
}

export function treeOf(task: string, best: number, nodes: TreeNode[]): Tree {
  return {
    schema_version: 'espalier-tree-v1',
    environment: 'textcraft',
    task,
    method: 'mcts',
    messages: head,
    best,
    nodes,
  }
}

/** A tree whose answer is a path of so many actions, with a dead end beside its first. */
export function pathTree(task: string, length: number): Tree {
  const nodes = [treeNode(null, 'root'), treeNode(0, `${task} dead end`)]
  for (let depth = 1; depth <= length; depth += 1) {
    nodes.push(treeNode(depth === 1 ? 0 : nodes.length - 1, `${task} step ${depth}`))
  }
  return treeOf(task, length === 0 ? 0 : nodes.length - 1, nodes)
}

export const solved = (task: string, length = 3): PlayedEpisode => ({
  status: 'succeeded',
  reward: 1,
  tree: pathTree(task, length),
})

export const request = (rest: DatasetRequestInput = {}): DatasetRequest =>
  datasetRequestSchema.parse({ runs: ['run-1'], ...rest })

export const unsolved = (status: PlayedEpisode['status'], reward: number | null = null): PlayedEpisode => ({
  status,
  reward,
  tree: pathTree('unsolved', 2),
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
    const usage = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }
    return runSchema.parse({
      id,
      object: 'run',
      status: 'succeeded',
      status_reason: null,
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: null,
      ended_at: null,
      running_seconds: 1,
      episodes: {
        total: played.length,
        waiting: count('queued'),
        active: count('running'),
        succeeded: count('succeeded'),
        failed: count('failed'),
        limited: count('limited'),
        errored: count('errored'),
        cancelled: count('cancelled'),
      },
      usage,
      lost_calls: 0,
      answer_warnings: [],
      learning_episodes: 0,
      memory: null,
      library: null,
      live: false,
      request: {
        environment: 'textcraft',
        method: { id: 'mcts' },
        model: { endpoint: 'simulated', id: 'gardener' },
      },
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
    const ended = status !== 'queued' && status !== 'running'
    const usage = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }
    return {
      id: episodeId(index),
      object: 'episode',
      run,
      index,
      task: tree.task,
      epoch: 0,
      purpose: 'play',
      status,
      starts: 1,
      errors: 0,
      result: ended
        ? {
            status,
            reward,
            success: reward === null ? null : reward >= 1,
            limit: status === 'limited' ? 'steps' : null,
            error:
              status === 'errored' ? { name: 'HostLost', message: 'The host left.', effect: null } : null,
            steps: 1,
            nodes: tree.nodes.length,
            path_length: 1,
            primitive_steps: 1,
            unparsable: 0,
            invalid_actions: 0,
            progress_rate: reward,
            grounding_accuracy: 1,
            usage,
            working_seconds: 1,
            attempt: 1,
          }
        : null,
    }
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
