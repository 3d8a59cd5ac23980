import { type Episode, episodeId, episodeIndex } from '../shared/core/contracts/episode.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { toList } from '../shared/core/contracts/list.ts'
import { type Run, runSchema } from '../shared/core/contracts/run.ts'
import type { Tree } from '../shared/core/contracts/tree.ts'
import { noUsage } from '../shared/core/contracts/usage.ts'
import { parseJournalLines } from '../shared/core/engine/read-journal.ts'
import { readObject } from '../shared/core/engine/read-object.ts'
import type { Objects } from '../shared/core/world/ports.ts'
import type { SourceRuns } from '../shared/data/datasets/open-attempts.ts'

export interface PlayedTemplate {
  tree: string
  journal: string
  method: string
  reward: number
  nodes: number
}

/**
 * A run of any number of episodes, copies of a few really played ones. Trees and journals are read from the world
 * each time, as those of different episodes are.
 * @param size.attempts - the number of attempts per task
 */
export function stampedRuns(
  objects: Objects,
  templates: readonly PlayedTemplate[],
  size: { episodes: number; attempts: number },
): SourceRuns {
  const templateOf = (index: number) => templates[index % templates.length] as PlayedTemplate
  const indexOf = (episode: string) => episodeIndex(episode) ?? -1

  function episodeAt(index: number): Episode {
    const { reward, nodes } = templateOf(index)
    return {
      id: episodeId(index),
      object: 'episode',
      run: 'run-bench',
      index,
      task: `task-${Math.floor(index / size.attempts)}`,
      epoch: 0,
      purpose: 'play',
      status: reward >= 1 ? 'succeeded' : 'failed',
      starts: 1,
      errors: 0,
      result: {
        status: reward >= 1 ? 'succeeded' : 'failed',
        reward,
        success: reward >= 1,
        limit: null,
        error: null,
        steps: nodes,
        nodes,
        path_length: 1,
        primitive_steps: 1,
        unparsable: 0,
        invalid_actions: 0,
        progress_rate: reward,
        grounding_accuracy: 1,
        usage: noUsage,
        working_seconds: 1,
        attempt: 1,
      },
    }
  }

  const run = runOf(templateOf(0).method, size.episodes)
  return {
    async get(id) {
      if (id === run.id) return run
      throw new EspalierError('not_found', `There is no run "${id}".`, { param: 'run' })
    },
    async episodes(_, { after, limit }) {
      const start = after === undefined ? 0 : indexOf(after) + 1
      const end = Math.min(size.episodes, start + limit)
      const page = Array.from({ length: end - start }, (_, offset) => episodeAt(start + offset))
      return toList(page, end < size.episodes)
    },
    episode: async (_, episode) => episodeAt(indexOf(episode)),
    tree: async (_, episode) => ({ stored: templateOf(indexOf(episode)).tree }),
    tokens: async () => [],
    journal: async (_, episode) =>
      parseJournalLines(await readObject(objects, templateOf(indexOf(episode)).journal)),
  }
}

export async function readTrees(objects: Objects, templates: readonly PlayedTemplate[], count: number) {
  let nodes = 0
  for (let index = 0; index < count; index += 1) {
    const { tree } = templates[index % templates.length] as PlayedTemplate
    const { nodes: read } = JSON.parse(Buffer.from(await readObject(objects, tree)).toString('utf8')) as Tree
    nodes += read.length
  }
  return nodes
}

function runOf(method: string, episodes: number): Run {
  return runSchema.parse({
    id: 'run-bench',
    object: 'run',
    status: 'succeeded',
    status_reason: null,
    created_at: '2026-01-01T00:00:00.000Z',
    started_at: null,
    ended_at: null,
    running_seconds: 1,
    episodes: {
      total: episodes,
      waiting: 0,
      active: 0,
      succeeded: episodes,
      failed: 0,
      limited: 0,
      errored: 0,
      cancelled: 0,
    },
    usage: noUsage,
    lost_calls: 0,
    answer_warnings: [],
    learning_episodes: 0,
    memory: null,
    library: null,
    live: false,
    request: {
      environment: exampleEnvironment,
      method: { id: method },
      model: { endpoint: 'simulated', id: 'simulated' },
    },
  })
}
