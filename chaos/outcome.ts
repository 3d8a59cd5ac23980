import { hash } from 'node:crypto'
import type { Episode } from '../shared/core/contracts/episode.ts'
import type { List } from '../shared/core/contracts/list.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import type { ServiceApi } from './api.ts'

export interface EpisodeOutcome {
  id: string
  task: string
  epoch: number
  status: string
  reward: number | null
  error: string | null
  workingSeconds: number | null
  tree: string | null
}

export interface RunOutcome {
  run: Run
  episodes: EpisodeOutcome[]
  ended: string[]
}

const page = 200

export async function readOutcome(api: ServiceApi, id: string): Promise<RunOutcome> {
  const run = await api.json<Run>('GET', `/v1/runs/${id}`)
  const episodes: EpisodeOutcome[] = []
  let after: string | null = null
  do {
    const path = `/v1/runs/${id}/episodes?limit=${page}${after === null ? '' : `&after=${after}`}`
    const list: List<Episode> = await api.json<List<Episode>>('GET', path)
    for (const episode of list.data) episodes.push(await readEpisode(api, id, episode))
    after = list.has_more ? (list.last_id ?? null) : null
  } while (after !== null)
  const events = run.ended_at === null ? '' : await api.text('GET', `/v1/runs/${id}/events`)
  const ended = [...events.matchAll(/^event: episode\.ended\ndata: (.*)$/gm)]
  return { run, episodes, ended: ended.map(([, data = '{}']) => JSON.parse(data).episode as string) }
}

async function readEpisode(api: ServiceApi, run: string, episode: Episode): Promise<EpisodeOutcome> {
  const { id, task, epoch, status, result } = episode
  const hasTree = result !== null && result.nodes > 0
  return {
    id,
    task,
    epoch,
    status,
    reward: result?.reward ?? null,
    error: result?.error ? `${result.error.name}: ${result.error.message}` : null,
    workingSeconds: result?.working_seconds ?? null,
    tree: hasTree ? hash('sha256', await api.text('GET', `/v1/runs/${run}/episodes/${id}/tree`)) : null,
  }
}
