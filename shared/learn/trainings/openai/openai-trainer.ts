import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { TrainerInfo, TrainingRequest, TrainingRows } from '../../../core/contracts/training.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { KeyRing } from '../../../play/models/keys/key-ring.ts'
import type { EnvironmentVariables } from '../../../play/models/load-endpoints.ts'
import { orRefused, playRemoteJobs, stateWithoutJob, waitingOut } from '../remote-jobs.ts'
import type { AskedTrainerJob, TrainedModel, Trainer, TrainerJob, TrainerState } from '../trainer.ts'
import { type FineTuningJob, hasJobEnded, type UploadedFile } from './api-shapes.ts'
import { FineTuningService, ServiceRefusalError, serviceRefusals } from './fine-tuning-service.ts'
import { type JobProgress, readJobProgress } from './job-progress.ts'
import { filePrefix, JobRecords, startNumberOf } from './job-records.ts'
import { checkJob, describeHyperparameters, jobRequest, openAiHyperparameters } from './job-request.ts'
import { endpointOfTrainer, type OpenAiTrainerConfiguration } from './openai-configuration.ts'
import { estimateEpoch, writeTrainingFile } from './training-file.ts'

export interface OpenAiTrainerOptions {
  id: string
  configuration: OpenAiTrainerConfiguration
  objects: Pick<Objects, 'get'>
  folder: string
  environment?: EnvironmentVariables
  now?: () => number
}

const tailLines = 30

const lostJob = 'The service no longer knows its job. Resume it to have another one made, which is paid anew.'

/**
 * Trains with a fine-tuning API of OpenAI's shape. The service has the only record of a job. Its metadata identify
 * the job, so that a kill at any moment creates no second one.
 */
export function openOpenAiTrainer(options: OpenAiTrainerOptions): Trainer {
  const { id, configuration, objects, folder, environment = process.env, now = Date.now } = options
  const { price } = configuration
  const keys = new KeyRing({ environment, secrets: null, now })
  const service = new FineTuningService(id, endpointOfTrainer(configuration, null), keys)
  const records = new JobRecords(service)
  const estimates = new Map<string, number>()

  async function estimateTokens(job: AskedTrainerJob): Promise<number> {
    const known = job.training === undefined ? undefined : estimates.get(job.training)
    const tokens = known ?? (await estimateEpoch(objects, job.data)) * Number(job.hyperparameters.epochs)
    if (job.training !== undefined) estimates.set(job.training, tokens)
    return tokens
  }

  /** @throws EspalierError if the whole job would cost more than the limit */
  async function checkCost(job: AskedTrainerJob): Promise<void> {
    const { cost: limit } = job.limits
    if (limit === null || price === 0) return
    const tokens = await estimateTokens(job)
    const cost = (tokens / 1e6) * price
    if (cost <= limit) return
    throw new EspalierError(
      'invalid_request',
      `It would train on about ${tokens} tokens (a token for every three bytes, which is rather too many) and cost $${cost.toFixed(4)}; of limits.cost, $${limit} is left. Raise it, or train on fewer rows or epochs.`,
      { param: 'limits.cost' },
    )
  }

  async function uploadOnce(job: TrainerJob): Promise<UploadedFile> {
    const path = join(folder, job.training, 'training.jsonl')
    const { bytes, sha256 } = await writeTrainingFile(objects, job.data, path)
    const name = `${filePrefix(job.training)}${sha256.slice(0, 16)}.jsonl`
    const [earlier] = (await service.files(name)).filter(
      (file) => (file.bytes ?? bytes) === bytes && file.status !== 'error' && file.status !== 'deleted',
    )
    const file = earlier ?? (await service.upload(path, name))
    await rm(path, { force: true })
    return file
  }

  async function startJob(job: TrainerJob): Promise<void> {
    const { training, used } = job
    const jobs = await records.list(training)
    const last = jobs.at(-1)
    const made = last === undefined ? 0 : startNumberOf(last, jobs.length - 1)
    if (last !== undefined && !hasJobEnded(last)) {
      if (last.status === 'paused') await service.resume(last.id)
      return
    }
    // Do not repeat a job created since the last poll, however it ended.
    if (last?.status === 'succeeded' || made > used.starts) return
    await checkCost(job)
    const start = Math.max(made, used.starts) + 1
    const file = await uploadOnce(job)
    records.forget(training)
    await service.create(
      jobRequest(job, { configuration, file: file.id, start }),
      `espalier-${training}-${start}`,
    )
  }

  async function progressOf(job: TrainerJob, made: FineTuningJob): Promise<JobProgress & { tail: string[] }> {
    const { recipe, training } = job
    const events = await records.events(training, made)
    const results = made.status === 'succeeded' ? await records.results(training, made) : null
    const estimate = await estimateTokens(job)
    const read = readJobProgress({ job: made, events, results, recipe, estimate, now: now() / 1000 })
    const tail = events.slice(-tailLines).map(({ message }) => clipText(message, 500))
    return { ...read, tail }
  }

  async function lookAt(job: TrainerJob): Promise<TrainerState> {
    const jobs = await records.current(job.training)
    const last = jobs.at(-1)
    if (last === undefined) return stateWithoutJob(job, lostJob)
    const read: Awaited<ReturnType<typeof progressOf>>[] = []
    for (const each of jobs) read.push(await progressOf(job, each))
    const sum = (of: (each: JobProgress) => number) => read.reduce((total, each) => total + of(each), 0)
    const now = read.at(-1)
    if (now === undefined) throw new Error('Each job was read.')
    return {
      ...judge(last),
      progress: now.progress,
      rows: rowsOf(job),
      points: now.points,
      checkpoints: [],
      remoteCheckpoints: last.status === 'succeeded' ? await service.checkpoints(last.id) : [],
      usage: {
        seconds: sum(({ seconds }) => seconds),
        cost: (sum(({ tokens }) => tokens) / 1e6) * price,
        starts: startNumberOf(last, jobs.length - 1),
      },
      tail: now.tail,
      warnings: warningsOf(jobs, price),
    }
  }

  async function cancelIfThere(made: FineTuningJob): Promise<void> {
    try {
      await service.cancel(made.id)
    } catch (error) {
      // The service refuses to stop a job that has ended meanwhile.
      if (!(error instanceof ServiceRefusalError) || !hasJobEnded(await service.job(made.id))) throw error
    }
  }

  async function stopJob(training: string, atOnce: boolean): Promise<void> {
    const last = (await records.list(training)).at(-1)
    if (last === undefined || hasJobEnded(last)) return
    if (atOnce) return cancelIfThere(last)
    if (last.status === 'paused') return
    try {
      await service.pause(last.id)
    } catch (error) {
      if (!(error instanceof ServiceRefusalError)) throw error
      await cancelIfThere(last)
    }
  }

  async function releaseJob(training: string): Promise<void> {
    await stopJob(training, true)
    for (const file of await service.files(filePrefix(training))) await service.removeFile(file.id)
    records.forget(training)
    estimates.delete(training)
    await rm(join(folder, training), { recursive: true, force: true })
  }

  return {
    info: describeTrainer(id, configuration),
    seesPictures,
    atOnce: configuration.at_once,
    // The work runs on the service's machines.
    accelerator: null,
    lookEvery: configuration.look_every,
    service: { endpointOf: (model) => endpointOfTrainer(configuration, model) },
    hyperparameters: openAiHyperparameters,

    async check(job) {
      checkJob(job, configuration)
      // A resumed job does not pay again for its finished part.
      if (job.used === undefined) await checkCost(job)
      await orRefused(service.probe(), serviceRefusals)
      return []
    },

    ...playRemoteJobs({ start: startJob, look: lookAt, stop: stopJob, release: releaseJob }, serviceRefusals),

    async collect({ training }): Promise<TrainedModel> {
      const remote =
        (await waitingOut(records.current(training), serviceRefusals)).at(-1)?.fine_tuned_model ?? null
      if (remote === null) throw new Error(`The training ${training} has made no model.`)
      const unknown = { tokenizer: null, chatTemplate: null, contextLength: null }
      return { format: 'remote', files: [], remote, ...unknown }
    },

    // The service continues training without this one.
    close: async () => undefined,
  }
}

function judge({ status, error, fine_tuned_model }: FineTuningJob): Pick<TrainerState, 'state' | 'error'> {
  const failed = (message: string) => ({ reason: 'trainer_failed' as const, message })
  switch (status) {
    case 'succeeded':
      return fine_tuned_model === null
        ? { state: 'failed', error: failed('The service names no model, though its job has succeeded.') }
        : { state: 'succeeded', error: null }
    case 'failed': {
      const words = error?.message ?? 'The service does not say why it failed.'
      return { state: 'failed', error: failed(error?.code ? `${error.code}: ${words}` : words) }
    }
    case 'cancelled':
      return { state: 'cancelled', error: failed('Its job was cancelled at the service.') }
    case 'paused':
      return { state: 'stopped', error: null }
    default:
      return { state: 'running', error: null }
  }
}

function warningsOf(jobs: readonly FineTuningJob[], price: number): string[] {
  const what = price === 0 ? 'tokens are' : 'tokens and cost are'
  const uncounted = jobs.some((job) => hasJobEnded(job) && job.trained_tokens === null)
  return [
    `Until the service has counted them, ${what} estimated: a token for every three bytes.`,
    ...(uncounted ? [`The service did not count what a job that has ended took: ${what} estimates.`] : []),
  ]
}

function rowsOf({ data }: TrainerJob): TrainingRows {
  const by_dataset = data.map(({ dataset, split, files }) => {
    const rows = files.reduce((sum, each) => sum + each.rows, 0)
    return { dataset, split, rows, used: rows }
  })
  const unknown = { tokens: null, learned_tokens: null, longest: null, too_long: null, truncated: null }
  const total = by_dataset.reduce((sum, { rows }) => sum + rows, 0)
  return { total, by_dataset, ...unknown, dropped: null }
}

function describeTrainer(id: string, configuration: OpenAiTrainerConfiguration): TrainerInfo {
  const { base_url, description, price, recipes } = configuration
  const cost = price === 0 ? 'free' : `$${price} a million tokens`
  return {
    id,
    object: 'trainer',
    kind: 'openai',
    description: description ?? `The fine-tuning API at ${new URL(base_url).host}, ${cost}.`,
    recipes: [...recipes],
    formats: ['openai'],
    hyperparameters: Object.fromEntries(recipes.map((recipe) => [recipe, describeHyperparameters(recipe)])),
  }
}

/** Families that OpenAI and Azure fine-tune with pictures. Their smaller models accept only texts. */
const sees = /^(?:ft:)?gpt-4(?:o|\.1)(?!-(?:mini|nano))/

function seesPictures({ base }: Pick<TrainingRequest, 'base'>): string | null {
  const name = 'hub' in base ? base.hub : null
  if (name === null || sees.test(name)) return null
  return `"${name}" is not fine-tuned with pictures, as gpt-4o and gpt-4.1 are`
}
