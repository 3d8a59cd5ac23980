import {
  CreateTrainingJobCommand,
  type CreateTrainingJobCommandInput,
  DescribeTrainingJobCommand,
  type DescribeTrainingJobCommandOutput,
  SageMakerClient,
  StopTrainingJobCommand,
  type TrainingInstanceType,
  type TrainingJobStatus,
} from '@aws-sdk/client-sagemaker'
import { EspalierError } from '../../contracts/errors.ts'
import {
  type TrainingJobFacts,
  TrainingJobRefusalError,
  type TrainingJobRequest,
  type TrainingJobs,
} from '../training-jobs.ts'
import { AwsConnections } from './aws-connections.ts'
import { awsCall, nameOf } from './aws-error.ts'
import { AwsJobFiles } from './aws-job-files.ts'

const retries = 3

const statuses: Record<TrainingJobStatus, TrainingJobFacts['status']> = {
  InProgress: 'running',
  Stopping: 'stopping',
  Deleting: 'stopping',
  Completed: 'completed',
  Failed: 'failed',
  Stopped: 'stopped',
}

export type SageMakerCalls = Pick<SageMakerClient, 'send'>

export class SageMakerJobs implements TrainingJobs {
  readonly #client: () => SageMakerCalls
  readonly #bucket: string

  constructor(client: () => SageMakerCalls, bucket: string) {
    this.#client = client
    this.#bucket = bucket
  }

  async create(request: TrainingJobRequest): Promise<void> {
    try {
      await this.#ask('start the training job', request.name, (client) =>
        client.send(new CreateTrainingJobCommand(this.#input(request))),
      )
    } catch (error) {
      // Created by a call whose answer was lost, or by another process.
      if (nameOf(error) === 'ResourceInUse') return
      throw refusalOf(error)
    }
  }

  async describe(name: string): Promise<TrainingJobFacts | null> {
    try {
      const answer = await this.#ask('look at the training job', name, (client) =>
        client.send(new DescribeTrainingJobCommand({ TrainingJobName: name })),
      )
      return factsOf(name, answer)
    } catch (error) {
      if (isAbsent(error)) return null
      throw refusalOf(error)
    }
  }

  async stop(name: string): Promise<void> {
    try {
      await this.#ask('stop the training job', name, (client) =>
        client.send(new StopTrainingJobCommand({ TrainingJobName: name })),
      )
    } catch (error) {
      const now = isRefusal(error) ? await this.describe(name) : null
      if (now === null || now.status === 'running') throw refusalOf(error)
    }
  }

  #ask<Answer>(doing: string, name: string, call: (client: SageMakerCalls) => Promise<Answer>) {
    const about = { doing: `${doing} "${name}"`, resource: 'SageMaker', setting: 'trainers.json' }
    return awsCall(about, () => call(this.#client()))
  }

  #input(request: TrainingJobRequest): CreateTrainingJobCommandInput {
    const at = (key: string) => `s3://${this.#bucket}/${key}`
    const { isSpot, mostTime, mostWork } = request
    return {
      TrainingJobName: request.name,
      AlgorithmSpecification: { TrainingImage: request.image, TrainingInputMode: 'File' },
      RoleArn: request.role,
      HyperParameters: { ...request.settings },
      Environment: { ...request.environment },
      InputDataConfig: request.inputs.map(({ name, prefix }) => ({
        ChannelName: name,
        DataSource: {
          S3DataSource: {
            S3DataType: 'S3Prefix',
            S3Uri: at(prefix),
            S3DataDistributionType: 'FullyReplicated',
          },
        },
      })),
      // As files: a model is fetched file by file, and no archive of it is unpacked.
      OutputDataConfig: { S3OutputPath: at(request.output), CompressionType: 'NONE' },
      CheckpointConfig: { S3Uri: at(request.checkpoints), LocalPath: '/opt/ml/checkpoints' },
      ResourceConfig: {
        InstanceType: request.instanceType as TrainingInstanceType,
        InstanceCount: 1,
        VolumeSizeInGB: request.volume,
      },
      EnableManagedSpotTraining: isSpot,
      StoppingCondition: {
        MaxRuntimeInSeconds: mostWork,
        ...(isSpot && { MaxWaitTimeInSeconds: mostTime }),
      },
      RetryStrategy: { MaximumRetryAttempts: retries },
      Tags: [{ Key: 'project', Value: 'espalier' }],
    }
  }
}

function factsOf(name: string, job: DescribeTrainingJobCommandOutput): TrainingJobFacts {
  return {
    name,
    status: statuses[job.TrainingJobStatus ?? 'InProgress'],
    detail: job.SecondaryStatus ?? '',
    failure: job.FailureReason ?? null,
    settings: job.HyperParameters ?? {},
    spans: (job.SecondaryStatusTransitions ?? []).map(({ Status = '', StartTime, EndTime }) => ({
      detail: Status,
      began: StartTime?.getTime() ?? 0,
      ended: EndTime?.getTime() ?? null,
    })),
    worked: job.TrainingTimeInSeconds ?? null,
    billed: job.BillableTimeInSeconds ?? null,
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && !EspalierError.isInstance(error) && '$metadata' in error
}

/** The API reports an unknown job this way, in place of its own `ResourceNotFound`. */
function isAbsent(error: unknown): boolean {
  if (nameOf(error) === 'ResourceNotFound') return true
  return error instanceof Error && nameOf(error) === 'ValidationException' && /not found/i.test(error.message)
}

function refusalOf(error: unknown): unknown {
  // All instances of a quota are in use: some become free when other jobs end.
  if (error instanceof Error && nameOf(error) === 'ResourceLimitExceeded') {
    return new EspalierError('storage_failed', `SageMaker has no instance free: ${error.message}`, {
      cause: error,
    })
  }
  if (!(error instanceof Error) || !isRefusal(error)) return error
  return new TrainingJobRefusalError(`${nameOf(error)}: ${error.message}`, { cause: error })
}

export function openSageMaker({ bucket, region }: { bucket: string; region: string | null }) {
  const connections = new AwsConnections(undefined, { region })
  const client = connections.lazily((settings) => new SageMakerClient(settings))
  return {
    jobs: new SageMakerJobs(client, bucket),
    files: new AwsJobFiles(connections, bucket),
    close: () => connections.close(),
  }
}
