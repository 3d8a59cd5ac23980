import { join, resolve } from 'node:path'
import { z } from 'zod'
import { acceleratorNameSchema, variablesSchema } from '../shared/core/contracts/model-server.ts'
import { loadOptional } from '../shared/core/programs/load-optional.ts'
import type { World } from '../shared/core/world/ports.ts'
import { noAccelerator, usualAccelerator } from '../shared/learn/registry/accelerators.ts'
import { hasGpu } from '../shared/learn/serving/gpu-drivers.ts'
import {
  type AwsTrainerConfiguration,
  awsTrainerSchema,
} from '../shared/learn/trainings/aws/aws-configuration.ts'
import {
  type AwsTrainerOptions,
  openAwsTrainer,
  type SageMaker,
} from '../shared/learn/trainings/aws/aws-trainer.ts'
import { commandTrainerSchema } from '../shared/learn/trainings/command/command-configuration.ts'
import { openCommandTrainer } from '../shared/learn/trainings/command/command-trainer.ts'
import { openLocalTrainer } from '../shared/learn/trainings/local/local-trainer.ts'
import { reportToSchema } from '../shared/learn/trainings/local/trainer-settings.ts'
import type { TrainingOptions } from '../shared/learn/trainings/open-trainings.ts'
import {
  type OpenAiTrainerConfiguration,
  openAiTrainerSchema,
} from '../shared/learn/trainings/openai/openai-configuration.ts'
import { openOpenAiTrainer } from '../shared/learn/trainings/openai/openai-trainer.ts'
import type { Trainer } from '../shared/learn/trainings/trainer.ts'
import { readSettingsFile } from './read-settings-file.ts'

export const trainersFileSchema = z.strictObject({
  local: z
    .strictObject({
      python: z
        .string()
        .min(1)
        .optional()
        .describe('Python with the packages of the trainer, instead of the managed environment.'),
      cost_per_hour: z.number().min(0).default(0).describe('US dollars for an hour of this machine.'),
      at_once: z.int().min(1).max(64).default(1).describe('Maximum number of concurrent trainings.'),
      environment: variablesSchema.describe(
        'Environment variables of the trainer, such as CUDA_VISIBLE_DEVICES.',
      ),
      report_to: z
        .array(reportToSchema)
        .default([])
        .describe('Trackers that get the figures of each training. Install their packages yourself.'),
      accelerate: z
        .string()
        .min(1)
        .optional()
        .describe('The configuration file of `accelerate launch`, for FSDP or DeepSpeed.'),
      accelerator: acceleratorNameSchema
        .optional()
        .describe(
          'Accelerator that a training holds while it runs, or `none`. Default: `gpu` if the machine has one.',
        ),
    })
    .prefault({}),
  trainers: z
    .record(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'names are letters, digits, dots, dashes and underscores')
        .refine((name) => name !== 'local', 'is the name of the built-in trainer'),
      z.discriminatedUnion('kind', [awsTrainerSchema, commandTrainerSchema, openAiTrainerSchema]),
    )
    .default({})
    .describe('Others beside the local one, by the names under which trainings choose them.'),
  folders: z
    .array(z.string().min(1))
    .default([])
    .describe('Folders that requests may name as bases where the service asks for keys.'),
})

type ConfiguredTrainer = z.infer<typeof trainersFileSchema>['trainers'][string]

/**
 * Opens the trainers of this machine.
 * @param options.isPrivate - true if only people of this machine reach the service: they may name any folder
 * @throws EspalierError `invalid_request` for an invalid trainers.json
 */
export async function openTrainers(options: {
  folder: string
  world: World
  isPrivate: boolean
}): Promise<TrainingOptions & { close(): Promise<void> }> {
  const { folder, world, isPrivate } = options
  const {
    local,
    trainers: configured,
    folders,
  } = await readSettingsFile(join(folder, 'trainers.json'), trainersFileSchema)
  const trainings = join(folder, 'trainings')
  const detected = (await hasGpu()) ? usualAccelerator : noAccelerator
  const acceleratorOf = ({ accelerator = detected }: { accelerator?: string | undefined }) =>
    accelerator === noAccelerator ? null : accelerator
  const trainer = openLocalTrainer({
    objects: world.objects,
    folder: trainings,
    costPerHour: local.cost_per_hour,
    atOnce: local.at_once,
    accelerator: acceleratorOf(local),
    environment: local.environment,
    settings: {
      reportTo: local.report_to,
      accelerate: local.accelerate === undefined ? null : resolve(folder, local.accelerate),
    },
    ...(local.python !== undefined && { python: local.python }),
  })
  const trainers = new Map<string, Trainer>([['local', trainer]])
  const open = (
    options: Pick<AwsTrainerOptions, 'id' | 'objects' | 'folder'>,
    configuration: ConfiguredTrainer,
  ): Trainer => {
    switch (configuration.kind) {
      case 'aws':
        return openAwsTrainer({ ...options, configuration, open: () => openSageMaker(configuration) })
      case 'command':
        return openCommandTrainer({
          ...options,
          configuration,
          accelerator: acceleratorOf(configuration),
        })
      case 'openai':
        return openOpenAiTrainer({ ...options, configuration: withAbsoluteKeyFile(configuration, folder) })
    }
  }
  for (const [id, configuration] of Object.entries(configured)) {
    const options = { id, objects: world.objects, folder: trainings }
    trainers.set(id, open(options, configuration))
  }
  return {
    trainers,
    folder: trainings,
    folders: isPrivate ? null : folders,
    close: async () => {
      await Promise.all([...trainers.values()].map((each) => each.close()))
    },
  }
}

/** Loaded late, because SageMaker's client has megabytes that most services never use. */
async function openSageMaker({
  bucket,
  region,
}: Pick<AwsTrainerConfiguration, 'bucket' | 'region'>): Promise<SageMaker> {
  const aws = await loadOptional(
    ['@aws-sdk/client-sagemaker'],
    'The trainer of the kind aws',
    () => import('../shared/core/world/aws/sage-maker-jobs.ts'),
  )
  return aws.openSageMaker({ bucket, region: region ?? null })
}

function withAbsoluteKeyFile(
  configuration: OpenAiTrainerConfiguration,
  folder: string,
): OpenAiTrainerConfiguration {
  const { api_key_file } = configuration
  return api_key_file === undefined
    ? configuration
    : { ...configuration, api_key_file: resolve(folder, api_key_file) }
}
