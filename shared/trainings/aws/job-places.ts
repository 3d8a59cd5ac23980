import { basename, join } from 'node:path'
import type { AwsTrainerConfiguration } from './aws-configuration.ts'

/** Where the files of a training lie in the bucket. */
export function keysOfTraining({ prefix }: Pick<AwsTrainerConfiguration, 'prefix'>, training: string) {
  const all = `${prefix}/${training}/`
  return {
    all,
    rows: `${all}rows/`,
    base: `${all}base/`,
    /** SageMaker keeps the job's `/opt/ml/checkpoints` there, its progress and last lines too. */
    checkpoints: `${all}checkpoints/`,
    progress: `${all}checkpoints/progress.jsonl`,
    log: `${all}checkpoints/trainer.log`,
    output: `${all}output/`,
    /** SageMaker puts the job's `/opt/ml/model` there, file by file. */
    model: (job: string) => `${all}output/${job}/output/model/`,
    /** Says that this service asked the job to leave. */
    stopped: (job: string) => `${all}stopped/${job}.json`,
  }
}

/** Where the files of a training lie on this machine. */
export function foldersOfTraining(folder: string, training: string) {
  const own = join(folder, training)
  return {
    own,
    progress: join(own, 'progress.jsonl'),
    checkpoints: join(own, 'checkpoints'),
    model: join(own, 'model'),
  }
}

/** The name of a data file in the bucket: the files of two datasets may have one name. */
export function nameOfRows(place: number, name: string): string {
  return `${place + 1}-${basename(name)}`
}

/** The name of a training's job. A training has another job each time that it is started. */
export function jobName({ jobs }: Pick<AwsTrainerConfiguration, 'jobs'>, training: string, number: number) {
  return `${jobs}-${training}-${number}`
}
