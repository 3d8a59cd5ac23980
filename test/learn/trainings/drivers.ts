import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { SageMakerJobs } from '../../../shared/core/world/aws/sage-maker-jobs.ts'
import type { Objects } from '../../../shared/core/world/ports.ts'
import { awsTrainerSchema } from '../../../shared/learn/trainings/aws/aws-configuration.ts'
import { openAwsTrainer } from '../../../shared/learn/trainings/aws/aws-trainer.ts'
import { commandTrainerSchema } from '../../../shared/learn/trainings/command/command-configuration.ts'
import { openCommandTrainer } from '../../../shared/learn/trainings/command/command-trainer.ts'
import { openLocalTrainer } from '../../../shared/learn/trainings/local/local-trainer.ts'
import { openAiHyperparameters } from '../../../shared/learn/trainings/openai/job-request.ts'
import { openAiTrainerSchema } from '../../../shared/learn/trainings/openai/openai-configuration.ts'
import { openOpenAiTrainer } from '../../../shared/learn/trainings/openai/openai-trainer.ts'
import { resolveHyperparameters } from '../../../shared/learn/trainings/recipes.ts'
import type { Trainer, TrainerJob, TrainerState } from '../../../shared/learn/trainings/trainer.ts'
import {
  type FineTuningServer,
  type FineTuningServerOptions,
  openFineTuningServer,
  serviceKey,
  waitingSeed,
} from '../../support/fine-tuning-server.ts'
import { MemoryBucket } from '../../support/memory-bucket.ts'
import { SageMakerStandIn } from '../../support/sage-maker.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { untilWanted } from './until-wanted.ts'

export const standInCommand = join(import.meta.dirname, 'stand-in-command.mjs')
const standInProgram = join(import.meta.dirname, 'stand-in-program.mjs')

/** How a job of a test goes: to its end, or until it is asked to stop. */
export type Course = 'runs' | 'waits'

export type DriverName = 'local' | 'command with a file' | 'command that prints' | 'openai' | 'aws'

/** What the contract says of a driver, where a service that trains elsewhere can only do it in another way. */
export interface DriverLaws {
  /** Whether a job lives in this service's processes: it ends with them, and is started again from a checkpoint. */
  isOurs: boolean
  /** Whether checkpoints and the model are files here in the end; else its service keeps and names them. */
  givesFiles: boolean
  /** Whether a job that was asked to leave goes on as the same one. */
  resumesJobs: boolean
}

export const lawsOf = (name: DriverName): DriverLaws => ({
  isOurs: name !== 'openai' && name !== 'aws',
  givesFiles: name !== 'openai',
  resumesJobs: name === 'openai',
})

export const configurationOf = (behaviour: string, more: object = {}) =>
  commandTrainerSchema.parse({
    kind: 'command',
    command: standInCommand,
    arguments: ['{job}', behaviour, '--resume={resume}'],
    recipes: ['sft'],
    formats: ['trl'],
    ...more,
  })

/** A trainer over a folder and data of its own, that can be opened again as a service that starts again does. */
export async function openDriver(name: DriverName, course: Course) {
  if (name === 'openai') {
    const { server, ...opened } = await openOpenAi({ seed: course === 'waits' ? waitingSeed : 0 })
    return { ...opened, proceed: server.proceed }
  }
  if (name === 'aws') {
    const { service, ...opened } = await openAws({ seed: course === 'waits' ? waitingSeed : 0 })
    return { ...opened, proceed: () => service.proceed() }
  }
  const behaviour = course === 'waits' ? 'waits' : name === 'command that prints' ? 'prints' : 'runs'
  const opened = await openOver(
    (options) =>
      name === 'local'
        ? openLocalTrainer({ ...options, python: standInProgram })
        : openCommandTrainer({ ...options, id: 'mine', configuration: configurationOf(behaviour) }),
    // The program goes by the seed.
    { seed: course === 'waits' ? 13 : 0 },
  )
  return { ...opened, proceed: () => undefined }
}

export const openAiConfiguration = (server: FineTuningServer, more: object = {}) =>
  openAiTrainerSchema.parse({
    kind: 'openai',
    base_url: server.address,
    api_key_env: 'SERVICE_KEY',
    price: 8,
    ...more,
  })

/** A fine-tuning service, and the trainer that asks it. */
export async function openOpenAi({
  seed = 0,
  service = {},
  more = {},
}: {
  seed?: number
  service?: FineTuningServerOptions
  more?: object
} = {}) {
  const server = await openFineTuningServer(service)
  const opened = await openOver(
    (options) =>
      openOpenAiTrainer({
        ...options,
        id: 'tuning',
        configuration: openAiConfiguration(server, more),
        environment: { SERVICE_KEY: serviceKey },
        now: server.now,
      }),
    { seed },
  )
  const job: TrainerJob = {
    ...opened.job,
    base: { hub: 'small-model' },
    hyperparameters: resolveHyperparameters('sft', {}, openAiHyperparameters('sft')),
    data: opened.job.data.map((each) => ({ ...each, format: 'openai' })),
    checkpointSteps: null,
  }
  return {
    ...opened,
    job,
    server,
    until: (isAsWanted: (state: TrainerState) => boolean) => opened.until(isAsWanted, job),
  }
}

export const awsConfiguration = (more: object = {}) =>
  awsTrainerSchema.parse({
    kind: 'aws',
    bucket: 'data',
    role: 'arn:aws:iam::123456789012:role/espalier-dev-trainings',
    image: '123456789012.dkr.ecr.us-east-1.amazonaws.com/trainer:1',
    instance_type: 'ml.g5.2xlarge',
    cost_per_hour: 36,
    ...more,
  })

/** SageMaker, and the trainer that makes jobs there. */
export async function openAws({ seed = 0, more = {} }: { seed?: number; more?: object } = {}) {
  const bucket = new MemoryBucket()
  const service = new SageMakerStandIn(bucket)
  const jobs = new SageMakerJobs(() => service.client, 'data')
  const opened = await openOver(
    (options) =>
      openAwsTrainer({
        ...options,
        id: 'cloud',
        configuration: awsConfiguration(more),
        open: async () => ({ jobs, files: bucket, close: async () => undefined }),
        now: service.now,
      }),
    { seed },
  )
  return { ...opened, bucket, service }
}

/** A command whose stand-in behaves as said. */
export async function openCommand(behaviour: string, more: object = {}) {
  return openOver((options) =>
    openCommandTrainer({ ...options, id: 'mine', configuration: configurationOf(behaviour, more) }),
  )
}

interface Place {
  objects: Pick<Objects, 'get'>
  folder: string
}

async function openOver(open: (options: Place) => Trainer, { seed = 0 } = {}) {
  const folder = await temporaryFolder()
  const base = join(folder, 'base')
  await mkdir(base)
  await writeFile(join(base, 'config.json'), JSON.stringify({ max_position_embeddings: 8192 }))
  await writeFile(
    join(base, 'tokenizer_config.json'),
    JSON.stringify({ eos_token: '</s>', chat_template: '…' }),
  )
  const body = gzipSync('{"messages":[]}\n{"messages":[]}\n')
  const stored = {
    body,
    key: 'data.jsonl.gz',
    size: body.length,
    etag: 'etag',
    content_type: 'application/gzip',
  }
  const objects: Pick<Objects, 'get'> = { get: async (key) => (key === stored.key ? stored : null) }
  const openNow = () => open({ objects, folder: join(folder, 'trainings') })
  let trainer = openNow()
  onTestFinished(() => trainer.close())
  const job: TrainerJob = {
    training: 'training-1',
    recipe: 'sft',
    base: { folder: base },
    data: [
      {
        dataset: 'dataset-1',
        split: 'train',
        kind: 'sft',
        format: 'trl',
        share: null,
        files: [{ name: 'data-00001.jsonl.gz', key: 'data.jsonl.gz', sha256: 'ab'.repeat(32), rows: 2 }],
      },
    ],
    hyperparameters: resolveHyperparameters('sft', {}),
    lora: null,
    seed,
    checkpointSteps: 2,
    keepCheckpoints: 3,
    used: { seconds: 0, starts: 0 },
    limits: { cost: null, seconds: null },
  }
  return {
    job,
    folder: join(folder, 'trainings', job.training),
    trainer: () => trainer,
    /** As a service that was killed, and its successor: what it started may go on for a moment. */
    reopen() {
      const earlier = trainer
      onTestFinished(() => earlier.close())
      trainer = openNow()
    },
    until(isAsWanted: (state: TrainerState) => boolean, asked = job): Promise<TrainerState> {
      return untilWanted(() => trainer.look(asked), isAsWanted)
    },
  }
}
