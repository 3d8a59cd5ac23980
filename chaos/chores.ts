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
import type { LongerChores } from './longer-chores.ts'

export const choreNames = [
  'scoring',
  'grading',
  'deletion',
  'import',
  'dataset',
  'download',
  'indexing',
  'training',
  'loop',
  'sweep',
] as const
export type ChoreName = (typeof choreNames)[number]

export interface ChoreCount {
  done: number
  kills: number
}

interface Done {
  run: string
  score: string
  episodes: string[]
  dataset: string
  import: string
  files: Map<string, string>
}

const ofChores = 'chaos'
const rows = 40
const look = 200

export interface ChoreNeeds {
  api: ServiceApi
  longer: LongerChores
  kills: () => number
}

/**
 * Scores, deletes, imports, builds, downloads, indexes, trains, sweeps and loops while the service is disturbed. Every request is repeated
 * until it is answered. {@link compare} then reads everything in peace: nothing lost, nothing doubled, and each file the same bytes as before.
 */
export class Chores {
  readonly #api: ServiceApi
  readonly #longer: LongerChores
  readonly #kills: () => number
  readonly #done: Done[] = []
  readonly #findings: Finding[] = []
  readonly counts: Record<ChoreName, ChoreCount> = Object.fromEntries(
    choreNames.map((name) => [name, { done: 0, kills: 0 }]),
  ) as Record<ChoreName, ChoreCount>

  constructor({ api, longer, kills }: ChoreNeeds) {
    this.#api = api
    this.#longer = longer
    this.#kills = kills
  }

  async do(run: string, time: number): Promise<void> {
    const { data } = await this.#api.json<List<Episode>>('GET', `/v1/runs/${run}/episodes?limit=200`)
    const episodes = data
      .filter(({ purpose, result, status }) => purpose === 'play' && result !== null && status !== 'errored')
      .map(({ id }) => id)
    if (episodes.length === 0) return
    const score = `chaos-${time}`
    await this.#meeting(['scoring', 'deletion'], () => this.#score(run, score, episodes))
    await this.#meeting(['grading'], () => this.#longer.grade(run, time))
    this.counts.grading.done += 1
    const imported = await this.#meeting(['import'], () =>
      this.#twice<TrajectoryImport>(
        `/v1/trajectories?format=eto&environment=${exampleEnvironment}`,
        experts(),
        `import-${run}-${time}`,
      ),
    )
    const dataset = await this.#meeting(['dataset'], async () => {
      const request = { runs: [run], parameters: { min_reward: 0 }, name: ofChores }
      const { id } = await this.#twice<Dataset>('/v1/datasets', request, `dataset-${run}-${time}`)
      return this.#untilBuilt(id)
    })
    await this.#meeting(['indexing'], () => this.#search())
    if (dataset.status !== 'succeeded') this.#find(run, 'dataset failed', JSON.stringify(dataset.error))
    const files = await this.#meeting(['download'], () => this.#download(dataset.id))
    this.#done.push({ run, score, episodes, dataset: dataset.id, import: imported.id, files })
  }

  async sweep(number: number): Promise<void> {
    await this.#meeting(['sweep'], () => this.#longer.sweep(number))
    this.counts.sweep.done += 1
  }

  /** @param expert an ended run at training tasks: no other gives a training rows */
  async train(expert: string): Promise<void> {
    const request = { runs: [expert], parameters: { min_reward: 0 } }
    const { id } = await this.#twice<Dataset>('/v1/datasets', request, `dataset-${expert}`)
    const { status, error } = await this.#untilBuilt(id)
    if (status !== 'succeeded') this.#find(expert, 'dataset failed', JSON.stringify(error))
    await this.#meeting(['training'], () => this.#longer.train(id))
  }

  async loop(expert: string, number: number): Promise<void> {
    await this.#meeting(['loop'], () => this.#longer.loop(expert, number))
    this.counts.loop.done += 1
  }

  async compare(): Promise<Finding[]> {
    for (const done of this.#done) {
      await this.#compareScores(done)
      await this.#compareImport(done)
      await this.#compareFiles(done)
    }
    if (this.#done.length > 0) await this.#compareIndex()
    await this.#compareCounts()
    this.counts.training.done = await this.#longer.compareTrainings()
    return this.#findings
  }

  async #meeting<Result>(names: readonly ChoreName[], work: () => Promise<Result>): Promise<Result> {
    const before = this.#kills()
    try {
      return await work()
    } finally {
      for (const name of names) this.counts[name].kills += this.#kills() - before
    }
  }

  async #score(run: string, score: string, episodes: readonly string[]): Promise<void> {
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

  async #compareScores({ run, score, episodes }: Done): Promise<void> {
    const { data } = await this.#api.json<List<EpisodeJudgement>>(
      'GET',
      `/v1/runs/${run}/judgements?limit=1000`,
    )
    const recorded = data.filter(({ name }) => !name.startsWith('chaos-rubric-'))
    const got = recorded.map(({ name, episode, value }) => `${name} ${episode} ${value}`).toSorted()
    const wanted = episodes.map((episode, at) => `${score} ${episode} ${at / 100}`).toSorted()
    this.counts.scoring.done += 1
    this.counts.deletion.done += 1
    if (got.some((one) => one.startsWith('by-hand')))
      this.#find(run, 'deletion lost', 'the judgement is there')
    const scores = got.filter((one) => one.startsWith(`${score} `))
    if (JSON.stringify(scores) !== JSON.stringify(wanted))
      this.#find(run, 'scores differ', `${scores.length} scores, ${wanted.length} were recorded`)
  }

  async #compareImport({ run, import: id }: Done): Promise<void> {
    const { trajectories, rejected } = await this.#api.json<TrajectoryImport>('GET', `/v1/trajectories/${id}`)
    const list = await this.#api.json<List<{ id: string }>>(
      'GET',
      `/v1/trajectories/${id}/trajectories?limit=1000`,
    )
    this.counts.import.done += 1
    if (trajectories !== rows || rejected !== 0 || list.data.length !== rows)
      this.#find(
        run,
        'import differs',
        `${trajectories} taken, ${rejected} rejected, ${list.data.length} listed of ${rows}`,
      )
  }

  async #compareFiles({ run, dataset, files }: Done): Promise<void> {
    const now = await this.#download(dataset)
    this.counts.dataset.done += 1
    this.counts.download.done += now.size
    const differ = [...now].filter(([name, digest]) => files.get(name) !== digest).map(([name]) => name)
    if (differ.length > 0 || now.size !== files.size)
      this.#find(
        run,
        'download differs',
        `${now.size} files, ${files.size} before; others: ${differ.join(', ')}`,
      )
  }

  async #compareIndex(): Promise<void> {
    let one = await this.#search()
    // A search indexes for some seconds, so that one of many episodes takes several.
    for (let left = Number.POSITIVE_INFINITY; one.not_indexed > 0 && one.not_indexed < left; ) {
      left = one.not_indexed
      one = await this.#search()
    }
    const other = await this.#search()
    this.counts.indexing.done += 1
    if (one.not_indexed !== 0) this.#find(null, 'not indexed', `${one.not_indexed} ended episodes`)
    const ids = (hits: TranscriptHits) => JSON.stringify(hits.data.map(({ id }) => id))
    if (ids(one) !== ids(other)) this.#find(null, 'search differs', `${ids(one)}, later ${ids(other)}`)
    if (new Set(one.data.map(({ id }) => id)).size !== one.data.length)
      this.#find(null, 'hit doubled', ids(one))
  }

  async #compareCounts(): Promise<void> {
    for (const path of ['/v1/datasets', '/v1/trajectories']) {
      const { data } = await this.#api.json<List<{ name: string | null }>>('GET', `${path}?limit=1000`)
      const count = data.filter(({ name }) => path === '/v1/trajectories' || name === ofChores).length
      if (count !== this.#done.length)
        this.#find(null, 'work doubled', `${count} at ${path}, ${this.#done.length} were asked for`)
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

  /** The service's own address of a file has the port of the process that gave it: its path alone is asked for. */
  async #download(dataset: string): Promise<Map<string, string>> {
    const { data } = await this.#api.json<List<{ id: string; url: string }>>(
      'GET',
      `/v1/datasets/${dataset}/files`,
    )
    const found = new Map<string, string>()
    for (const { id, url } of data) {
      const { pathname, search, searchParams } = new URL(url)
      const isOfBucket = searchParams.has('X-Amz-Signature')
      const text = isOfBucket ? await readFrom(url) : await this.#api.text('GET', `${pathname}${search}`)
      found.set(id, hash('sha256', text))
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

async function readFrom(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The bucket answered ${response.status}: ${await response.text()}`)
  return response.text()
}

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
