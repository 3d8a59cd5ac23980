import type { TrainingJobRequest } from '../../../core/world/training-jobs.ts'
import type { TrainerJob } from '../trainer.ts'
import type { AwsTrainerConfiguration } from './aws-configuration.ts'
import { jobName, keysOfTraining } from './job-places.ts'

/**
 * The limit that ends a job: a cap of its training, or the trainer's `max_runtime`, after which another job
 * continues.
 */
export type JobCap = 'cost_limit' | 'time_limit' | 'max_runtime'

/** A job's time limit in seconds, with its reason. At least 1, SageMaker's minimum. */
export function capOf(
  { limits }: Pick<TrainerJob, 'limits'>,
  { cost_per_hour, max_runtime }: AwsTrainerConfiguration,
): { cap: JobCap; seconds: number } {
  const paid =
    limits.cost === null || cost_per_hour === 0
      ? Number.POSITIVE_INFINITY
      : (limits.cost / cost_per_hour) * 3600
  const caps = [
    { cap: 'cost_limit', seconds: paid },
    { cap: 'time_limit', seconds: limits.seconds ?? Number.POSITIVE_INFINITY },
    { cap: 'max_runtime', seconds: max_runtime },
  ] as const
  const least = caps.reduce((one, other) => (other.seconds < one.seconds ? other : one))
  return { cap: least.cap, seconds: Math.max(1, Math.floor(least.seconds)) }
}

export function trainingJobRequest(
  job: TrainerJob,
  configuration: AwsTrainerConfiguration,
  number: number,
): TrainingJobRequest {
  const { environment, image, instance_type, role, spot, spot_wait, volume } = configuration
  const keys = keysOfTraining(configuration, job.training)
  const { cap, seconds } = capOf(job, configuration)
  return {
    name: jobName(configuration, job.training, number),
    image,
    role,
    instanceType: instance_type,
    volume,
    settings: {
      training: job.training,
      recipe: job.recipe,
      seed: String(job.seed),
      base: JSON.stringify('hub' in job.base ? job.base : null),
      hyperparameters: JSON.stringify(job.hyperparameters),
      lora: JSON.stringify(job.lora),
      checkpoint_steps: JSON.stringify(job.checkpointSteps),
      keep_checkpoints: JSON.stringify(job.keepCheckpoints),
      cap,
    },
    environment,
    inputs: [
      { name: 'rows', prefix: keys.rows },
      ...('folder' in job.base ? [{ name: 'base', prefix: keys.base }] : []),
    ],
    checkpoints: keys.checkpoints,
    output: keys.output,
    isSpot: spot,
    mostWork: seconds,
    mostTime: seconds + spot_wait,
  }
}
