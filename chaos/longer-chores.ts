import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { EpisodeJudgement } from '../shared/core/contracts/judgement.ts'
import type { List } from '../shared/core/contracts/list.ts'
import type { Loop } from '../shared/core/contracts/loop.ts'
import type { RegisteredModel } from '../shared/core/contracts/registered-model.ts'
import type { RubricScoring } from '../shared/core/contracts/rubric-scoring.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import type { Training, TrainingPoint } from '../shared/core/contracts/training.ts'
import { openFineTuningServer, serviceKey } from '../test/support/fine-tuning-server.ts'
import type { ServiceApi } from './api.ts'
import { missed } from './call-book.ts'
import type { ModelEndpoint } from './model-endpoint.ts'
import { trainingSteps } from './stand-in-trainer.ts'

const root = resolve(import.meta.dirname, '..')
const look = 300
const cells = { methods: ['react', 'act'], seeds: [0, 1] }
const tasks = 3
const rounds = 1
/** A message whose receivers were killed, and that then meets failing storage, waits for up to 1,000 s. */
const longestJobMilliseconds = 1_800_000

interface LongerOptions {
  api: ServiceApi
  endpoint: ModelEndpoint
  address: () => string | null
  data: string
  folder: string
  find(run: string | null, what: string, detail: string): void
}

export class LongerChores {
  readonly #options: LongerOptions
  readonly #trainings: string[] = []
  #command: number | null = null
  #server: Server | null = null
  #tuning: Awaited<ReturnType<typeof openFineTuningServer>> | null = null

  constructor(options: LongerOptions) {
    this.#options = options
  }

  get command(): number | null {
    return this.#command
  }

  async prepare(): Promise<void> {
    this.#tuning = await openFineTuningServer({}, (app) => this.#serve(app))
    const { data } = this.#options
    await writeFile(join(data, 'service.key'), serviceKey, { mode: 0o600 })
    const command = join(import.meta.dirname, 'stand-in-trainer.ts')
    const trainers = {
      'stand-in': {
        kind: 'command',
        command: process.execPath,
        arguments: [command, '{job}', '{resume}'],
        recipes: ['sft'],
        formats: ['openai', 'trl'],
        at_once: 2,
      },
      tuning: {
        kind: 'openai',
        base_url: this.#tuning.address,
        api_key_file: 'service.key',
        price: 8,
        look_every: 1,
      },
    }
    await writeFile(join(data, 'trainers.json'), JSON.stringify({ trainers, folders: [] }))
  }

  close(): void {
    if (this.#command !== null) process.kill(this.#command, 'SIGKILL')
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  async #serve({ fetch }: Hono): Promise<string> {
    const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server
    this.#server = server
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async train(dataset: string): Promise<void> {
    const { api, find } = this.#options
    const body = {
      base: { hub: 'small-org/small-model' },
      datasets: [{ dataset }],
      recipe: 'sft',
      trainer: 'stand-in',
    }
    const [one, other] = await Promise.all(
      [1, 2].map(() => api.json<Training>('POST', '/v1/trainings', body, `training-${dataset}`)),
    )
    const { id } = one as Training
    if (other?.id !== id) find(null, 'work doubled', `the trainings ${id} and ${other?.id} under one key`)
    this.#trainings.push(id)
    const ended = await this.#untilEnded<Training>(`/v1/trainings/${id}`)
    if (ended.status !== 'succeeded')
      find(null, 'training failed', `${id}: ${ended.status} ${ended.reason} ${ended.error}`)
  }

  async compareTrainings(): Promise<number> {
    const { api, find } = this.#options
    const { data } = await api.json<List<RegisteredModel>>('GET', '/v1/registered-models?limit=1000')
    for (const id of this.#trainings) {
      const made = data.filter(({ training }) => training === id)
      if (made.length !== 1) find(null, 'model not made once', `${made.length} models of ${id}`)
      const points = await api.json<List<TrainingPoint>>('GET', `/v1/trainings/${id}/metrics?limit=1000`)
      const steps = points.data.map(({ step }) => step).join()
      const wanted = Array.from({ length: trainingSteps }, (_, index) => index + 1).join()
      if (steps !== wanted) find(null, 'training differs', `${id} has the steps ${steps}`)
    }
    const weights = new Set(
      data.flatMap(({ files, training }) =>
        this.#trainings.includes(training ?? '') ? [files.map(({ sha256 }) => sha256).join()] : [],
      ),
    )
    if (weights.size > 1) find(null, 'training differs', `${weights.size} different weights`)
    return this.#trainings.length
  }

  async loop(expert: string, number: number): Promise<void> {
    const { api, find } = this.#options
    const jobsBefore = this.#tuning?.jobs().length ?? 0
    const body = {
      recipe: 'rft',
      environment: exampleEnvironment,
      base: { hub: 'small-model' },
      policy: { endpoint: 'model', id: `chaos-loop-${number}` },
      experts: [expert],
      trainer: 'tuning',
      format: 'openai',
      tasks: { train: { split: 'train', limit: 3 }, test: { split: 'test', limit: 3 } },
      settings: { rounds, samples: 1, start_from: 'previous' },
      patience: null,
    }
    const [one, other] = await Promise.all(
      [1, 2].map(() => api.json<Loop>('POST', '/v1/loops', body, `loop-${number}`)),
    )
    const { id } = one as Loop
    if (other?.id !== id) find(null, 'work doubled', `the loops ${id} and ${other?.id} under one key`)
    const loop = await this.#untilEnded<Loop>(`/v1/loops/${id}`)
    if (loop.status !== 'succeeded') find(null, 'loop failed', `${id}: ${loop.status} ${loop.reason}`)
    const jobs = (this.#tuning?.jobs().length ?? 0) - jobsBefore
    const trained = loop.rounds.flatMap(({ stages }) => stages).filter(({ object }) => object === 'training')
    if (jobs !== trained.length)
      find(null, 'work doubled', `${jobs} jobs for ${trained.length} trainings of ${id}`)
    for (const { ref, object } of loop.rounds.flatMap(({ stages }) => stages)) {
      if (object !== 'run' || ref === null) continue
      const run = await api.json<Run>('GET', `/v1/runs/${ref}`)
      if (run.ended_at === null || run.episodes.errored > 0)
        find(ref, 'loop differs', `${run.status}, ${JSON.stringify(run.episodes)}`)
    }
  }

  async sweep(number: number): Promise<void> {
    const { api, endpoint, find, folder } = this.#options
    const name = `chaos-sweep-${number}`
    const file = join(folder, `${name}.yaml`)
    const sweep = {
      name,
      ...cells,
      environments: [{ id: exampleEnvironment, tasks: { split: 'test', limit: tasks } }],
      models: [`model:${name}`],
      parallel: 2,
    }
    // JSON is YAML.
    await writeFile(file, JSON.stringify(sweep))
    while (!(await this.#sweepOnce(file))) await delay(look)
    const { data: runs } = await api.json<List<Run>>('GET', `/v1/runs?limit=1000&metadata.sweep=${name}`)
    const wanted = cells.methods.length * cells.seeds.length
    const names = new Set(runs.map(({ request }) => request.metadata.sweep_cell))
    if (runs.length !== wanted || names.size !== wanted)
      find(null, 'sweep differs', `${runs.length} runs of ${names.size} cells, ${wanted} were asked for`)
    for (const run of runs)
      if (run.ended_at === null || run.episodes.errored > 0 || run.episodes.total !== tasks)
        find(run.id, 'sweep differs', `${run.status}, ${JSON.stringify(run.episodes)}`)
    const calls = runs.reduce((sum, { usage }) => sum + usage.model_calls, 0)
    const lost = runs.reduce((sum, run) => sum + run.lost_calls, 0)
    const booked = endpoint.book.totals(name)
    if (calls > booked.calls && !missed({ calls, lost }, booked))
      find(null, 'calls differ', `${calls} counted of ${name}, ${booked.calls} at the endpoint`)
  }

  async grade(run: string, number: number): Promise<void> {
    const { api, endpoint, find } = this.#options
    const name = `chaos-rubric-${number}`
    const body = {
      name,
      rubric: '0: nothing was made. 10: the goal was.',
      model: { endpoint: 'model', id: name },
    }
    const until = performance.now() + longestJobMilliseconds
    const ask = () => api.json<RubricScoring>('POST', `/v1/runs/${run}/scorings`, body)
    let grading = await ask()
    while (grading.status === 'going' || grading.status === 'paused') {
      if (performance.now() > until) break
      if (grading.status === 'paused' && grading.judge_run !== null)
        await api.text('POST', `/v1/runs/${grading.judge_run}/resume`, {}).catch(unlessConflict)
      await delay(look)
      grading = await ask()
    }
    const { errors, judge_run, scored, status, total, usage } = grading
    if (status !== 'ended' || scored + errors !== total)
      find(run, 'grades differ', `${status}: ${scored} scored and ${errors} unreadable of ${total}`)
    const { data } = await api.json<List<EpisodeJudgement>>('GET', `/v1/runs/${run}/judgements?limit=1000`)
    const graded = data.filter((judgement) => judgement.name === name)
    if (graded.length !== scored || new Set(graded.map(({ episode }) => episode)).size !== scored)
      find(run, 'grades differ', `${graded.length} judgements of ${scored} scores`)
    const booked = endpoint.book.totals(name)
    const calls = usage?.model_calls ?? 0
    const judge = judge_run === null ? null : await api.json<Run>('GET', `/v1/runs/${judge_run}`)
    if (calls > booked.calls && !missed({ calls, lost: judge?.lost_calls ?? 0 }, booked))
      find(run, 'calls differ', `${calls} counted of ${name}, ${booked.calls} at the endpoint`)
  }

  async #sweepOnce(file: string): Promise<boolean> {
    const address = this.#options.address()
    // By its folder, the command would take the place of a service that is away.
    if (address === null) return false
    const words = [join(root, 'cli/espalier.ts'), 'sweep', file, '--service', address, '--json']
    const child = spawn(process.execPath, words, { cwd: root, stdio: 'ignore' })
    this.#command = child.pid ?? null
    const [code] = await once(child, 'exit')
    this.#command = null
    return code === 0
  }

  async #untilEnded<Thing extends { ended_at: string | null; status: string }>(path: string): Promise<Thing> {
    const until = performance.now() + longestJobMilliseconds
    for (;;) {
      const { api } = this.#options
      const thing = await api.json<Thing>('GET', path)
      if (thing.ended_at !== null || performance.now() > until) return thing
      // It pauses, as intended, if an endpoint refuses for long.
      if (thing.status === 'paused') await api.text('POST', `${path}/resume`, {}).catch(unlessConflict)
      await delay(look)
    }
  }
}

function unlessConflict(error: Error): void {
  if (!/: 409 /.test(error.message)) throw error
}
