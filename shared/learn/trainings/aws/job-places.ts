import { basename, join } from 'node:path'
import type { AwsTrainerConfiguration } from './aws-configuration.ts'

export function keysOfTraining({ prefix }: Pick<AwsTrainerConfiguration, 'prefix'>, training: string) {
  const all = `${prefix}/${training}/`
  return {
    all,
    rows: `${all}rows/`,
    base: `${all}base/`,
    /** SageMaker stores the job's `/opt/ml/checkpoints` here, with its progress and last log lines. */
    checkpoints: `${all}checkpoints/`,
    progress: `${all}checkpoints/progress.jsonl`,
    log: `${all}checkpoints/trainer.log`,
    output: `${all}output/`,
    /** SageMaker stores the files of the job's `/opt/ml/model` here. */
    model: (job: string) => `${all}output/${job}/output/model/`,
    stopped: (job: string) => `${all}stopped/${job}.json`,
  }
}

export function foldersOfTraining(folder: string, training: string) {
  const own = join(folder, training)
  return {
    own,
    progress: join(own, 'progress.jsonl'),
    checkpoints: join(own, 'checkpoints'),
    model: join(own, 'model'),
  }
}

/** The name of a data file in the bucket. Files of two datasets may share a name. */
export function nameOfRows(place: number, name: string): string {
  return `${place + 1}-${basename(name)}`
}

export function jobName({ jobs }: Pick<AwsTrainerConfiguration, 'jobs'>, training: string, number: number) {
  return `${jobs}-${training}-${number}`
}
