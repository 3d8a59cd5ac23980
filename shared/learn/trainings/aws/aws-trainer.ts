import { readFile, rm } from 'node:fs/promises'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { TrainerInfo } from '../../../core/contracts/training.ts'
import type { Objects } from '../../../core/world/ports.ts'
import {
  type TrainingJobFacts,
  type TrainingJobFiles,
  TrainingJobRefusalError,
  type TrainingJobs,
} from '../../../core/world/training-jobs.ts'
import { checkBaseFolder } from '../local/check-base-folder.ts'
import { nothingReported } from '../program/program-files.ts'
import { readProgress } from '../program/progress-file.ts'
import { orRefused, playRemoteJobs, type RefusalReader, stateWithoutJob, waitingOut } from '../remote-jobs.ts'
import {
  type TrainedModel,
  type Trainer,
  type TrainerJob,
  type TrainerState,
  TrainerUnreachableError,
} from '../trainer.ts'
import type { AwsTrainerConfiguration } from './aws-configuration.ts'
import { writeInputs } from './job-inputs.ts'
import { fetchCheckpoints, fetchModel, fetchProgress, fetchTail } from './job-outputs.ts'
import { foldersOfTraining, jobName, keysOfTraining } from './job-places.ts'
import { trainingJobRequest } from './job-request.ts'
import { interruptionsOf, judgeJob, progressOf, type StopMark, timesOf } from './judge-job.ts'

export interface SageMaker {
  jobs: TrainingJobs
  files: TrainingJobFiles
  close(): Promise<void>
}

export interface AwsTrainerOptions {
  id: string
  configuration: AwsTrainerConfiguration
  objects: Pick<Objects, 'get'>
  folder: string
  /** Opens the client on first use. @throws EspalierError `not_supported` if the client is not installed */
  open: () => Promise<SageMaker>
  /** Milliseconds since the epoch. @default the system's clock */
  now?: () => number
}

const endingPollSeconds = 10

const lostJob = 'SageMaker knows none of its jobs: region or account are others. Resume it to have one made.'

/**
 * Trains in SageMaker jobs, each the program `containers/trainer` over SageMaker's folders. A training numbers its
 * jobs, and SageMaker accepts a name once, so a crash never creates a second job. All jobs of a training share a
 * folder for checkpoints and progress: the next job finds both after a Spot interruption or a pause.
 */
export function openAwsTrainer(options: AwsTrainerOptions): Trainer {
  const { id, configuration, objects, folder, now = Date.now } = options
  const ended = new Map<string, TrainingJobFacts>()
  let opened: Promise<SageMaker> | null = null

  function sageMaker(): Promise<SageMaker> {
    opened ??= options.open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }

  async function describe(name: string): Promise<TrainingJobFacts | null> {
    const known = ended.get(name)
    if (known !== undefined) return known
    const facts = await (await sageMaker()).jobs.describe(name)
    if (facts !== null && hasEnded(facts)) ended.set(name, facts)
    return facts
  }

  async function jobsOf(training: string): Promise<TrainingJobFacts[]> {
    const found: TrainingJobFacts[] = []
    for (;;) {
      const next = await describe(jobName(configuration, training, found.length + 1))
      if (next === null) return found
      found.push(next)
      if (!hasEnded(next)) return found
    }
  }

  async function startJob(job: TrainerJob): Promise<void> {
    const made = await jobsOf(job.training)
    const last = made.at(-1)
    if (last?.status === 'running') return
    if (last?.status === 'stopping') throw ending(last)
    // Do not repeat a job created since the last poll, however it ended.
    if (made.length > job.used.starts) return
    const { files, jobs } = await sageMaker()
    await writeInputs({ objects, files, configuration, folder }, job)
    await jobs.create(trainingJobRequest(job, configuration, made.length + 1))
  }

  async function markOf(training: string, job: string): Promise<StopMark> {
    const { files } = await sageMaker()
    const found = await files.get(keysOfTraining(configuration, training).stopped(job))
    return found === null ? null : (JSON.parse(Buffer.from(found.body).toString('utf8')) as StopMark)
  }

  async function lookAt(job: TrainerJob): Promise<TrainerState> {
    const { training, used } = job
    const made = await jobsOf(training)
    const last = made.at(-1)
    if (last === undefined) return stateWithoutJob(job, lostJob)
    const needs = { files: (await sageMaker()).files, configuration, folder }
    const reported = await fetchProgress(needs, training)
    const mark = last.status === 'running' ? null : await markOf(training, last.name)
    const times = made.map((each) => timesOf(each, now()))
    const billed = times.reduce((sum, each) => sum + each.billed, 0)
    return {
      ...judgeJob(last, reported, mark),
      progress: progressOf(last, reported?.progress ?? nothingReported, configuration.instance_type),
      rows: reported?.rows ?? null,
      points: reported?.points ?? [],
      // A running job needs its checkpoints after an interruption, so leave them.
      checkpoints: hasEnded(last) ? await fetchCheckpoints(needs, training, job.keepCheckpoints) : [],
      usage: {
        seconds: times.reduce((sum, each) => sum + each.worked, 0),
        cost: (billed / 3600) * configuration.cost_per_hour,
        starts: Math.max(made.length, used.starts),
      },
      tail: await fetchTail(needs, training),
      warnings: [...(reported?.warnings ?? []), ...warningsOf(made, configuration)],
    }
  }

  async function stopJob(training: string, atOnce: boolean): Promise<void> {
    const last = (await jobsOf(training)).at(-1)
    if (last === undefined || hasEnded(last)) return
    const { files, jobs } = await sageMaker()
    // Write it first: without it, someone else stopped the job.
    if (atOnce || last.status === 'running') {
      const mark: StopMark = { at_once: atOnce }
      await files.put(keysOfTraining(configuration, training).stopped(last.name), JSON.stringify(mark))
    }
    if (last.status === 'running') await jobs.stop(last.name)
  }

  async function releaseJob(training: string): Promise<void> {
    await stopJob(training, true)
    const last = (await jobsOf(training)).at(-1)
    // The job writes checkpoints until it ends.
    if (last !== undefined && !hasEnded(last)) throw ending(last)
    const { files } = await sageMaker()
    const { all } = keysOfTraining(configuration, training)
    for (const { key } of await files.list(all)) await files.delete(key)
    await rm(foldersOfTraining(folder, training).own, { recursive: true, force: true })
  }

  return {
    info: describeTrainer(id, configuration),
    atOnce: configuration.at_once,
    // The work runs on SageMaker's machines.
    accelerator: null,
    lookEvery: configuration.look_every,

    async check(job) {
      const warnings = 'folder' in job.base ? await checkBaseFolder(job.base.folder, job) : []
      const { jobs, files } = await sageMaker()
      await orRefused(jobs.describe(`${configuration.jobs}-probe`), refusals)
      await orRefused(files.get(`${configuration.prefix}/probe`), refusals)
      return warnings
    },

    ...playRemoteJobs({ start: startJob, look: lookAt, stop: stopJob, release: releaseJob }, refusals),

    async collect({ training }): Promise<TrainedModel> {
      const last = (await waitingOut(jobsOf(training), refusals)).at(-1)
      const reported = await readProgress(foldersOfTraining(folder, training).progress)
      if (last === undefined || reported?.end?.state !== 'succeeded') {
        throw new Error(`The training ${training} has not succeeded.`)
      }
      const needs = { files: (await sageMaker()).files, configuration, folder }
      const files = await waitingOut(fetchModel(needs, training, last.name), refusals)
      const { format, context_length } = reported.end
      const template = files.find(({ name }) => name === 'chat_template.jinja')
      return {
        format,
        files,
        remote: null,
        tokenizer: files.some(({ name }) => name === 'tokenizer.json') ? 'tokenizer.json' : null,
        chatTemplate: template === undefined ? null : await readFile(template.path, 'utf8'),
        contextLength: context_length,
      }
    },

    // SageMaker continues without this service.
    close: async () => (await opened)?.close(),
  }
}

function hasEnded({ status }: TrainingJobFacts): boolean {
  return status !== 'running' && status !== 'stopping'
}

function ending({ name }: TrainingJobFacts): TrainerUnreachableError {
  return new TrainerUnreachableError(`The job ${name} is being stopped, which takes up to two minutes.`, {
    retryAfter: endingPollSeconds,
  })
}

function warningsOf(made: readonly TrainingJobFacts[], { spot }: AwsTrainerConfiguration): string[] {
  const times = made.reduce((sum, each) => sum + interruptionsOf(each), 0)
  return [
    ...(spot ? ['Until a job has ended, its cost is shown at the price on demand; Spot costs less.'] : []),
    ...(times === 0
      ? []
      : [
          `Its machine was taken back ${times === 1 ? 'once' : `${times} times`}, and it went on from its last checkpoint.`,
        ]),
  ]
}

const refusal = (error: unknown) =>
  error instanceof TrainingJobRefusalError ? `SageMaker refused: ${error.message}` : null

const refusals: RefusalReader = {
  beforeStart: refusal,
  later: refusal,
  convert(error) {
    if (error instanceof TrainerUnreachableError || !EspalierError.isInstance(error)) return error
    if (error.code !== 'storage_failed') return error
    return new TrainerUnreachableError(error.message, { retryAfter: endingPollSeconds, cause: error })
  },
}

function describeTrainer(id: string, configuration: AwsTrainerConfiguration): TrainerInfo {
  const { cost_per_hour, description, instance_type, recipes, spot } = configuration
  return {
    id,
    object: 'trainer',
    kind: 'aws',
    description:
      description ??
      `Jobs of SageMaker on ${instance_type}${spot ? ' (Spot)' : ''}, at most $${cost_per_hour} an hour.`,
    recipes: [...recipes],
    formats: ['trl'],
  }
}
