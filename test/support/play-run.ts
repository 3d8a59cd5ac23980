import { onTestFinished } from 'vitest'
import { openService } from '../../local/open-service.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { EpisodeCalls } from '../../shared/core/contracts/episode-calls.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import type { EpisodeTokens } from '../../shared/core/contracts/token-record.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A run that has ended, with the tree of each episode. */
export interface PlayedRun {
  run: Run
  episodes: Episode[]
  trees: Tree[]
}

export interface RunPlayer {
  (request: Partial<RunRequestInput>): Promise<PlayedRun>
  /** Registers a model of the files in a folder. @returns its id */
  register(folder: string): Promise<string>
  readonly get: {
    tokens(run: string, episode: string): Promise<EpisodeTokens>
    calls(run: string, episode: string): Promise<EpisodeCalls>
  }
}

/** Opens an embedded service that plays runs with the simulated model, closed when the test ends. */
export async function openPlayer(folder?: string): Promise<RunPlayer> {
  const service = await openService({ folder: folder ?? (await temporaryFolder()), log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))

  async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json', host: 'localhost' }
    const response = await service.app.request(path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    // What has ended is answered by an address to be read from.
    const location = response.headers.get('location')
    if (response.status === 307 && location !== null) return ask(method, location)
    if (response.status >= 400) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  async function play(request: Partial<RunRequestInput>): Promise<PlayedRun> {
    const created = await ask<Run>('POST', '/v1/runs', {
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
      ...request,
    })
    let run = created
    while (run.ended_at === null) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      run = await ask<Run>('GET', `/v1/runs/${created.id}`)
    }
    const { data } = await ask<List<Episode>>('GET', `/v1/runs/${run.id}/episodes?limit=1000`)
    const trees = data.map(({ id }) => ask<Tree>('GET', `/v1/runs/${run.id}/episodes/${id}/tree`))
    return { run, episodes: data, trees: await Promise.all(trees) }
  }

  const get = {
    tokens: (run: string, episode: string) =>
      ask<EpisodeTokens>('GET', `/v1/runs/${run}/episodes/${episode}/tokens`),
    calls: (run: string, episode: string) =>
      ask<EpisodeCalls>('GET', `/v1/runs/${run}/episodes/${episode}/calls`),
  }
  const register = async (from: string) =>
    (await ask<{ id: string }>('POST', '/v1/registered-models', { folder: from })).id
  return Object.assign(play, { get, register })
}
