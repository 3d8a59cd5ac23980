import type { Dataset, DatasetRequest, LineageRow } from '../../../shared/core/contracts/dataset.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { toList } from '../../../shared/core/contracts/list.ts'
import { type Run, type RunRequest, runSchema } from '../../../shared/core/contracts/run.ts'
import type { Training, TrainingRequest } from '../../../shared/core/contracts/training.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openReports } from '../../../shared/insight/reports/open-reports.ts'
import type { LoopPorts } from '../../../shared/learn/loops/loop-ports.ts'

export interface FakeSettings {
  /** How many tasks each split has. */
  tasks?: number
  /** By how much a training raises the share of tasks that a model solves. */
  gain?: (request: TrainingRequest) => number
  /** The share that the base solves. */
  skill?: number
  /** Episodes of a run that end with an error. */
  errored?: (request: RunRequest) => number
  /** What the rows of a dataset are of, in place of training tasks. */
  rowsOf?: (request: DatasetRequest) => string[]
  /** US dollars of a run. */
  cost?: number
}

interface FakeRun {
  id: string
  request: RunRequest
  looks: number
  status: Run['status'] | null
  reason: string | null
}

/**
 * The rest of the service for loops, in memory: runs end after a look, a training makes a model that solves more tasks. It counts
 * everything that is made, and makes one thing for one idempotency key, as the real services do.
 */
export class FakeService {
  readonly settings: Required<FakeSettings>
  readonly runs = new Map<string, FakeRun>()
  readonly datasets = new Map<string, DatasetRequest>()
  readonly trainings = new Map<
    string,
    { request: TrainingRequest; model: string; status: Training['status'] | null }
  >()
  readonly skills = new Map<string, number>()
  readonly keys = new Map<string, { id: string; request: string }>()
  /** Everything that was made, in order. */
  readonly made: string[] = []
  readonly served = new Set<string>()
  /** Trainings end so, in place of a success, as long as it is set. */
  trainingFault: { status: 'failed' | 'paused'; error: string } | null = null

  constructor(settings: FakeSettings = {}) {
    this.settings = {
      tasks: 40,
      gain: () => 0.3,
      skill: 0.2,
      errored: () => 0,
      rowsOf: () => ['train-0', 'train-1'],
      cost: 0.5,
      ...settings,
    }
    this.skills.set('model-base', this.settings.skill)
  }

  parts(): LoopPorts {
    const runs = {
      get: async (id: string) => this.#run(id),
      episodes: async (id: string) => toList(this.#episodes(id), false),
      journal: async () => [],
    }
    return {
      runs: {
        get: runs.get,
        create: async (request, options) => {
          const id = this.#once('run', request, options?.idempotencyKey)
          if (!this.runs.has(id)) this.runs.set(id, { id, request, looks: 0, status: null, reason: null })
          return this.#toRun(this.runs.get(id) as FakeRun)
        },
        pause: async (id) => this.#setRun(id, 'paused'),
        resume: async (id) => this.#setRun(id, null),
        cancel: async (id) => this.#setRun(id, 'cancelled'),
      },
      datasets: {
        create: async (request, options) => {
          const id = this.#once('dataset', request, options.idempotencyKey)
          this.datasets.set(id, request)
          return this.#dataset(id)
        },
        get: async (id) => this.#dataset(id),
        lineage: (id) => this.#lineage(id),
      },
      trainings: {
        checkPlanned: async () => undefined,
        create: async (request, options) => {
          const id = this.#once('training', request, options.idempotencyKey)
          if (!this.trainings.has(id)) this.#train(id, request)
          return this.#training(id)
        },
        get: async (id) => this.#training(id),
        pause: async (id) => this.#setTraining(id, 'paused'),
        cancel: async (id) => this.#setTraining(id, 'cancelled'),
        resume: async (id) => this.#setTraining(id, null),
        registerCheckpoint: async (id, step) => {
          const model = `${id.replace('training', 'model')}-step-${step}`
          const skill = this.skills.get(this.trainings.get(id)?.model ?? '') ?? 0
          // The middle checkpoint is the best, so that choosing can be seen.
          this.skills.set(model, step === 20 ? Math.min(1, skill + 0.3) : skill / 2)
          return model
        },
      },
      models: {
        get: async (id) => {
          if (!this.skills.has(id))
            throw new EspalierError('not_found', `There is no model ${id}.`, { param: 'model' })
          return { id, name: id, datasets: [] }
        },
        learned: async (id) => (id === 'model-leaky' ? ['dataset-leaky'] : []),
      },
      servers: {
        serve: async (model) => {
          this.served.add(model)
          return `served-${model}`
        },
        stop: async (model) => void this.served.delete(model),
      },
      reports: openReports({ runs, isSimulated: () => true, tasksOf: async () => null }),
      tasks: async ({ environment }, { split = 'test', range, limit }) => {
        if (!definitions.some(({ id }) => id === environment)) {
          throw new EspalierError('unknown_environment', `There is no environment "${environment}".`, {
            param: 'environment',
          })
        }
        const all = Array.from({ length: this.settings.tasks }, (_, index) => ({
          id: `${split}-${index}`,
          split,
        }))
        return { data: undefined, tasks: all.slice(...(range ?? [0])).slice(0, limit) }
      },
      estimate: async () => {
        throw new EspalierError('unknown_endpoint', 'There is no such endpoint.', { param: 'model.endpoint' })
      },
      isSimulated: () => true,
      checkEndpoint: () => undefined,
    }
  }

  #once(kind: string, request: object, key: string | undefined): string {
    if (key === undefined) throw new Error(`A ${kind} was made without an idempotency key.`)
    const text = JSON.stringify(request)
    const earlier = this.keys.get(`${kind}/${key}`)
    if (earlier !== undefined) {
      if (earlier.request !== text) throw new EspalierError('idempotency_key_reused', `${key} came before.`)
      return earlier.id
    }
    const id = `${kind}-${this.made.length}`
    this.keys.set(`${kind}/${key}`, { id, request: text })
    this.made.push(key.replace(/^loop\/[^/]+\//, ''))
    return id
  }

  #setRun(id: string, status: Run['status'] | null): Run {
    const run = this.runs.get(id)
    if (run === undefined) throw new Error(`There is no run ${id}.`)
    run.status = status
    run.reason = null
    return this.#toRun(run)
  }

  #run(id: string): Run {
    const run = this.runs.get(id)
    if (run === undefined) throw new EspalierError('not_found', `There is no run ${id}.`, { param: 'run' })
    run.looks += 1
    return this.#toRun(run)
  }

  #toRun({ id, looks, reason, request, status }: FakeRun): Run {
    const episodes = this.#episodes(id)
    const count = (wanted: string) => episodes.filter((episode) => episode.status === wanted).length
    const cost =
      request.limits.cost === undefined
        ? this.settings.cost
        : Math.min(request.limits.cost, this.settings.cost)
    return runSchema.parse({
      id,
      object: 'run',
      status: status ?? (looks > 1 ? 'succeeded' : 'running'),
      status_reason: reason,
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: null,
      ended_at: null,
      running_seconds: 10,
      episodes: {
        total: episodes.length,
        waiting: 0,
        active: 0,
        succeeded: count('succeeded'),
        failed: count('failed'),
        limited: 0,
        errored: count('errored'),
        cancelled: 0,
      },
      usage: { model_calls: 10, input_tokens: 100, output_tokens: 10, cost },
      lost_calls: 0,
      answer_warnings: [],
      learning_episodes: 0,
      memory: null,
      library: null,
      live: false,
      request,
    })
  }

  /** The model of a skill solves the first tasks, so that a better one solves all that a worse one does. */
  #episodes(id: string): Episode[] {
    const { request } = this.runs.get(id) as FakeRun
    const { tasks } = this.settings
    const skill = this.skills.get(request.model.id) ?? this.settings.skill
    const errored = this.settings.errored(request)
    return Array.from({ length: tasks }, (_, index): Episode => {
      const isSolved = index < Math.round(skill * tasks)
      const status = index >= tasks - errored ? 'errored' : isSolved ? 'succeeded' : 'failed'
      const reward = status === 'errored' ? null : isSolved ? 1 : 0
      return {
        id: episodeId(index),
        object: 'episode',
        run: id,
        index,
        task: `${request.tasks.split ?? 'test'}-${index}`,
        epoch: 0,
        purpose: 'play',
        status,
        starts: 1,
        errors: 0,
        result: {
          status,
          reward,
          success: reward === null ? null : isSolved,
          limit: null,
          error: status === 'errored' ? { name: 'HostLost', message: 'The host left.', effect: null } : null,
          steps: 1,
          nodes: 2,
          path_length: 1,
          primitive_steps: 1,
          unparsable: 0,
          invalid_actions: 0,
          progress_rate: reward,
          grounding_accuracy: 1,
          usage: { model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 },
          working_seconds: 1,
          attempt: 1,
        },
      }
    })
  }

  #dataset(id: string): Dataset {
    const request = this.datasets.get(id)
    if (request === undefined)
      throw new EspalierError('not_found', `There is no dataset ${id}.`, { param: 'dataset' })
    const rows = this.settings.rowsOf(request).length
    return {
      id,
      object: 'dataset',
      name: null,
      status: 'succeeded',
      error: null,
      created_at: '2026-01-01T00:00:00.000Z',
      request,
      progress: { phase: 'done', parts: 1, parts_done: 1 },
      annotation_run: null,
      rows,
      splits: { train: { rows, tasks: rows } },
      left_out: rows === 0 ? { failed: 40 } : {},
      gates: {},
      tokens: { tokenizer: 'estimate', total: rows * 100, longest: 100 },
      warnings: [],
      files: [],
    }
  }

  async *#lineage(id: string): AsyncGenerator<LineageRow> {
    const request = this.datasets.get(id)
    const tasks = request === undefined ? ['test-3'] : this.settings.rowsOf(request)
    for (const [row, task] of tasks.entries()) {
      yield {
        row,
        kind: request?.kind ?? 'sft',
        environment: 'textcraft',
        data: null,
        task,
        task_split: 'train',
        tokens: 100,
        sha256: `${row}`,
        origin: {
          source: request?.runs[0] ?? request?.trajectories[0] ?? 'run-0',
          episode: episodeId(row),
          attempt: 1,
          method: 'react',
          model: 'simulated',
          reward: 1,
          node_ids: [0, 1, 2],
        },
        other: null,
        schema_version: 'espalier-lineage-v2',
      }
    }
  }

  #train(id: string, request: TrainingRequest): void {
    const model = id.replace('training', 'model')
    const base =
      'registered' in request.base ? (this.skills.get(request.base.registered) ?? 0) : this.settings.skill
    this.skills.set(model, Math.max(0, Math.min(1, base + this.settings.gain(request))))
    this.trainings.set(id, { request, model, status: null })
  }

  #setTraining(id: string, status: Training['status'] | null): Training {
    const training = this.trainings.get(id)
    if (training === undefined) throw new Error(`There is no training ${id}.`)
    training.status = status
    return this.#training(id)
  }

  #training(id: string): Training {
    const training = this.trainings.get(id)
    if (training === undefined)
      throw new EspalierError('not_found', `There is no training ${id}.`, { param: 'training' })
    const { model, request } = training
    const status = this.trainingFault?.status ?? training.status ?? 'succeeded'
    return {
      id,
      object: 'training',
      name: null,
      status,
      error: this.trainingFault?.error ?? null,
      reason: null,
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: null,
      ended_at: null,
      request,
      progress: {
        phase: 'done',
        step: 30,
        steps: 30,
        tokens: 1000,
        tokens_per_second: 100,
        seconds_left: 0,
        waiting_for: null,
      },
      metrics: { step: 30, seconds: 5, tokens: 1000, loss: 0.5, accuracy: 0.9, learning_rate: 0, values: {} },
      rows: {
        total: 2,
        by_dataset: [],
        tokens: 200,
        learned_tokens: 100,
        longest: 100,
        too_long: 0,
        truncated: 0,
        dropped: 0,
      },
      usage: { seconds: 5, cost: 0, starts: 1 },
      checkpoints: [10, 20, 30].map((step) => ({
        step,
        files: 1,
        bytes: 1,
        sha256: 'a',
        has_optimizer: true,
        remote: null,
      })),
      model: status === 'succeeded' ? model : null,
      log_tail: [],
      warnings: [],
    }
  }
}
