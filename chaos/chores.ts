import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Dataset } from '../shared/core/contracts/dataset.ts'
import type { Episode } from '../shared/core/contracts/episode.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { EpisodeJudgement } from '../shared/core/contracts/judgement.ts'
import type { List } from '../shared/core/contracts/list.ts'
import type { TrajectoryImport } from '../shared/core/contracts/trajectory-import.ts'
import type { TranscriptHits } from '../shared/core/contracts/transcript-search.ts'
import type { ServiceApi } from './api.ts'
import type { Finding } from './compare.ts'

/** The work on an ended run, besides playing it. */
export const choreNames = ['scoring', 'deletion', 'import', 'dataset', 'download', 'indexing'] as const
export type ChoreName = (typeof choreNames)[number]

interface Done {
  run: string
  episodes: string[]
  dataset: string
  import: string
  /** The digest of each downloaded file. */
  files: Map<string, string>
}

const score = 'chaos'
/** Rows of each import. */
const rows = 40
/** Milliseconds between looks at a dataset. */
const look = 200

/**
 * Scores, deletes, imports, builds, downloads and indexes while the service is disturbed. Every request is repeated until it is answered.
 * {@link compare} then reads everything in peace: nothing lost, nothing doubled, and each file the same bytes as before.
 */
export class Chores {
  readonly #api: ServiceApi
  readonly #done: Done[] = []
  readonly #findings: Finding[] = []
  /** Number of times each was done and compared. */
  readonly counts: Record<ChoreName, number> = {
    scoring: 0,
    deletion: 0,
    import: 0,
    dataset: 0,
    download: 0,
    indexing: 0,
  }

  constructor(api: ServiceApi) {
    this.#api = api
  }

  async do(run: string): Promise<void> {
    const { data } = await this.#api.json<List<Episode>>('GET', `/v1/runs/${run}/episodes?limit=200`)
    const episodes = data
      .filter(({ result, status }) => result !== null && status !== 'errored')
      .map(({ id }) => id)
    if (episodes.length === 0) return
    await this.#score(run, episodes)
    const imported = await this.#twice<TrajectoryImport>(
      `/v1/trajectories?format=eto&environment=${exampleEnvironment}`,
      experts(),
      `import-${run}`,
    )
    const dataset = await this.#twice<Dataset>(
      '/v1/datasets',
      { runs: [run], parameters: { min_reward: 0 } },
      `dataset-${run}`,
    )
    await this.#search()
    const ended = await this.#untilBuilt(dataset.id)
    if (ended.status !== 'succeeded') this.#find(run, 'dataset failed', JSON.stringify(ended.error))
    const files = await this.#download(dataset.id)
    this.#done.push({ run, episodes, dataset: dataset.id, import: imported.id, files })
  }

  /** Reads all that was done once nothing is disturbed any more. */
  async compare(): Promise<Finding[]> {
    for (const done of this.#done) {
      await this.#compareScores(done)
      await this.#compareImport(done)
      await this.#compareFiles(done)
    }
    if (this.#done.length > 0) await this.#compareIndex()
    await this.#compareCounts()
    return this.#findings
  }

  /** Scores all episodes, and deletes a person's judgement of the first. */
  async #score(run: string, episodes: readonly string[]): Promise<void> {
    const by = { kind: 'scorer', name: score, digest: 'chaos-scorer-1' }
    const judgements = episodes.map((episode, at) => ({ episode, value: at / 100 }))
    await this.#api.json('POST', `/v1/runs/${run}/judgements`, { name: score, by, judgements })
    const path = `/v1/runs/${run}/episodes/${episodes[0]}/judgements/by-hand?by=ada`
    await this.#api.json('PUT', path, { value: 1 })
    // Asked again because the answer was lost, it is gone already.
    await this.#api.json('DELETE', path).catch((error: Error) => {
      if (!/: 404 /.test(error.message)) throw error
    })
  }

  async #compareScores({ run, episodes }: Done): Promise<void> {
    const { data } = await this.#api.json<List<EpisodeJudgement>>(
      'GET',
      `/v1/runs/${run}/judgements?limit=200`,
    )
    const got = data.map(({ name, episode, value }) => `${name} ${episode} ${value}`).toSorted()
    const wanted = episodes.map((episode, at) => `${score} ${episode} ${at / 100}`).toSorted()
    this.counts.scoring += 1
    this.counts.deletion += 1
    if (got.some((one) => one.startsWith('by-hand')))
      this.#find(run, 'deletion lost', 'the judgement is there')
    const scores = got.filter((one) => one.startsWith(score))
    if (JSON.stringify(scores) !== JSON.stringify(wanted))
      this.#find(run, 'scores differ', `${scores.length} scores, ${wanted.length} were recorded`)
  }

  async #compareImport({ run, import: id }: Done): Promise<void> {
    const { trajectories, rejected } = await this.#api.json<TrajectoryImport>('GET', `/v1/trajectories/${id}`)
    const list = await this.#api.json<List<{ id: string }>>(
      'GET',
      `/v1/trajectories/${id}/trajectories?limit=1000`,
    )
    this.counts.import += 1
    if (trajectories !== rows || rejected !== 0 || list.data.length !== rows)
      this.#find(
        run,
        'import differs',
        `${trajectories} taken, ${rejected} rejected, ${list.data.length} listed of ${rows}`,
      )
  }

  async #compareFiles({ run, dataset, files }: Done): Promise<void> {
    const now = await this.#download(dataset)
    this.counts.dataset += 1
    this.counts.download += now.size
    const differ = [...now].filter(([name, digest]) => files.get(name) !== digest).map(([name]) => name)
    if (differ.length > 0 || now.size !== files.size)
      this.#find(
        run,
        'download differs',
        `${now.size} files, ${files.size} before; others: ${differ.join(', ')}`,
      )
  }

  async #compareIndex(): Promise<void> {
    const [one, other] = [await this.#search(), await this.#search()]
    this.counts.indexing += 1
    if (one.not_indexed !== 0) this.#find(null, 'not indexed', `${one.not_indexed} ended episodes`)
    const ids = (hits: TranscriptHits) => JSON.stringify(hits.data.map(({ id }) => id))
    if (ids(one) !== ids(other)) this.#find(null, 'search differs', `${ids(one)}, later ${ids(other)}`)
    if (new Set(one.data.map(({ id }) => id)).size !== one.data.length)
      this.#find(null, 'hit doubled', ids(one))
  }

  /** Each request was sent twice under its key. */
  async #compareCounts(): Promise<void> {
    for (const path of ['/v1/datasets', '/v1/trajectories']) {
      const { data } = await this.#api.json<List<{ id: string }>>('GET', `${path}?limit=1000`)
      if (data.length !== this.#done.length)
        this.#find(null, 'work doubled', `${data.length} at ${path}, ${this.#done.length} were asked for`)
    }
  }

  async #twice<Answer extends { id: string }>(path: string, body: object, key: string): Promise<Answer> {
    const [one, other] = await Promise.all([1, 2].map(() => this.#api.json<Answer>('POST', path, body, key)))
    if (one?.id !== other?.id) this.#find(null, 'work doubled', `${one?.id} and ${other?.id} under one key`)
    return one as Answer
  }

  async #untilBuilt(id: string): Promise<Dataset> {
    for (;;) {
      const dataset = await this.#api.json<Dataset>('GET', `/v1/datasets/${id}`)
      if (dataset.status === 'succeeded' || dataset.status === 'failed') return dataset
      await delay(look)
    }
  }

  /** The address of a file has the port of the process that gave it: the path alone is asked for. */
  async #download(dataset: string): Promise<Map<string, string>> {
    const { data } = await this.#api.json<List<{ id: string; url: string }>>(
      'GET',
      `/v1/datasets/${dataset}/files`,
    )
    const found = new Map<string, string>()
    for (const { id, url } of data) {
      const { pathname, search } = new URL(url)
      found.set(id, hash('sha256', await this.#api.text('GET', `${pathname}${search}`)))
    }
    return found
  }

  #search(): Promise<TranscriptHits> {
    return this.#api.json<TranscriptHits>('GET', '/v1/transcripts?q=craft&limit=100')
  }

  #find(run: string | null, what: string, detail: string): void {
    this.#findings.push({ what, plan: null, run, episode: null, detail })
  }
}

/** Rows of ETO's format. */
function experts(): object[] {
  return Array.from({ length: rows }, (_, id) => ({
    id,
    conversations: [
      { from: 'human', value: `Task ${id}.` },
      { from: 'gpt', value: 'Action: get 1 oak log' },
      { from: 'human', value: 'Got 1 oak log' },
    ],
  }))
}
