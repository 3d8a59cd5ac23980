import {
  CreateTrainingJobCommand,
  type CreateTrainingJobRequest,
  DescribeTrainingJobCommand,
  type DescribeTrainingJobResponse,
  ResourceInUse,
  SageMakerServiceException,
  type SecondaryStatus,
  StopTrainingJobCommand,
  type TrainingJobStatus,
} from '@aws-sdk/client-sagemaker'
import type { SageMakerCalls } from '../../shared/core/world/aws/sage-maker-jobs.ts'
import type { MemoryBucket } from './memory-bucket.ts'

interface Job {
  request: CreateTrainingJobRequest
  status: TrainingJobStatus
  transitions: { Status: SecondaryStatus; StartTime: Date; EndTime?: Date }[]
  failure?: string
  /** How many steps the program has done since its last start. */
  step: number
  /** Looks since it was asked to leave. */
  looks: number
}

/** What goes wrong with the next calls of an operation; `drop`: the call is done, and its answer is lost. */
type Fault = { on: string; with: string | 'drop'; times: number }

const steps = 10
/** Seeds with which the program stays at its fifth step until it is let go on. */
export const waitingSeed = 13
/** What is billed of the time on Spot. */
const spotShare = 0.4
const metadata = { $metadata: { httpStatusCode: 400 } }

/**
 * SageMaker's training jobs with the shapes of its API, and in them the program of `containers/trainer`: both go on by one step each time
 * that a job is asked how it stands, and the clock by ten seconds.
 */
export class SageMakerStandIn {
  readonly calls: string[] = []
  readonly #jobs = new Map<string, Job>()
  readonly #bucket: MemoryBucket
  readonly #faults: Fault[] = []
  #seconds = 1_800_000_000
  #isWaiting = true
  /** Looks at a job that is being stopped, until it has gone. */
  lingers = 1
  /** The program ends so at its third step. */
  endsWith: { reason?: string; message?: string; code: number } | null = null

  constructor(bucket: MemoryBucket) {
    this.#bucket = bucket
  }

  readonly now = () => this.#seconds * 1000
  /** The client. */
  readonly client = { send: (command: object) => this.#send(command) } as unknown as SageMakerCalls

  jobs(): CreateTrainingJobRequest[] {
    return [...this.#jobs.values()].map(({ request }) => request)
  }

  proceed(): void {
    this.#isWaiting = false
  }

  fail(on: string, name: string | 'drop', times = 1): void {
    this.#faults.push({ on, with: name, times })
  }

  /** Spot takes the machine back; the next looks find the job interrupted, and then on another machine. */
  interrupt(): void {
    const job = this.#last()
    this.#enter(job, 'Interrupted')
    job.step = 0
  }

  /** Someone stops it in the console. */
  stop(): void {
    this.#stop(this.#last())
  }

  /** The service ends it, as where its time is over. */
  end(status: TrainingJobStatus, detail: SecondaryStatus, failure?: string): void {
    const job = this.#last()
    if (detail === 'MaxRuntimeExceeded') this.#save(job)
    this.#end(job, status, detail, failure)
  }

  async #send(command: object): Promise<unknown> {
    const operation = command.constructor.name.replace('Command', '')
    this.calls.push(operation)
    const fault = this.#faults.find((each) => each.on === operation && each.times > 0)
    if (fault !== undefined) fault.times -= 1
    if (fault !== undefined && fault.with !== 'drop') throw exception(fault.with, 'It went wrong.')
    const answer = this.#answer(command)
    if (fault?.with === 'drop') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    return answer
  }

  #answer(command: object): unknown {
    if (command instanceof CreateTrainingJobCommand) return this.#create(command.input)
    if (command instanceof DescribeTrainingJobCommand)
      return this.#describe(command.input.TrainingJobName ?? '')
    if (command instanceof StopTrainingJobCommand) {
      const job = this.#find(command.input.TrainingJobName ?? '')
      if (job.status !== 'InProgress')
        throw exception(
          'ValidationException',
          `The request was rejected because the training job is in status ${job.status}.`,
        )
      this.#stop(job)
      return {}
    }
    throw new Error(`It does not know ${command.constructor.name}.`)
  }

  #create(request: CreateTrainingJobRequest): unknown {
    const name = request.TrainingJobName ?? ''
    if (!/^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$/.test(name))
      throw exception('ValidationException', `Bad name ${name}.`)
    if (this.#jobs.has(name)) {
      const message = 'Training job names must be unique within an AWS account and region'
      throw new ResourceInUse({ message, ...metadata })
    }
    const { MaxRuntimeInSeconds = 0, MaxWaitTimeInSeconds } = request.StoppingCondition ?? {}
    if (request.EnableManagedSpotTraining && (MaxWaitTimeInSeconds ?? 0) < MaxRuntimeInSeconds)
      throw exception('ValidationException', 'MaxWaitTimeInSeconds must be at least MaxRuntimeInSeconds.')
    const job: Job = { request, status: 'InProgress', transitions: [], step: 0, looks: 0 }
    this.#jobs.set(name, job)
    this.#enter(job, 'Starting')
    return { TrainingJobArn: `arn:aws:sagemaker:us-east-1:123456789012:training-job/${name}` }
  }

  #describe(name: string): DescribeTrainingJobResponse {
    const job = this.#find(name)
    this.#goOn(job)
    const { request, status, transitions, failure } = job
    const training = transitions.filter(({ Status }) => Status === 'Training' || Status === 'Downloading')
    const worked = training.reduce(
      (sum, { StartTime, EndTime }) =>
        sum + ((EndTime?.getTime() ?? this.now()) - StartTime.getTime()) / 1000,
      0,
    )
    const hasEnded = status === 'Completed' || status === 'Failed' || status === 'Stopped'
    const share = request.EnableManagedSpotTraining ? spotShare : 1
    return {
      TrainingJobName: name,
      TrainingJobArn: `arn:aws:sagemaker:us-east-1:123456789012:training-job/${name}`,
      TrainingJobStatus: status,
      SecondaryStatus: transitions.at(-1)?.Status,
      SecondaryStatusTransitions: transitions,
      FailureReason: failure,
      HyperParameters: request.HyperParameters,
      CreationTime: transitions[0]?.StartTime,
      StoppingCondition: request.StoppingCondition,
      ModelArtifacts: { S3ModelArtifacts: `${request.OutputDataConfig?.S3OutputPath}${name}/output/model` },
      ...(hasEnded && { TrainingTimeInSeconds: worked, BillableTimeInSeconds: Math.round(worked * share) }),
    }
  }

  #goOn(job: Job): void {
    this.#seconds += 10
    const detail = job.transitions.at(-1)?.Status
    if (job.status === 'Stopping') {
      job.looks += 1
      if (job.looks < this.lingers) return
      this.#save(job)
      this.#report(job, { event: 'stopped', seconds: job.step })
      this.#end(job, 'Stopped', 'Stopped')
    } else if (job.status !== 'InProgress') {
      return
    } else if (detail === 'Starting' || detail === 'Interrupted') {
      this.#enter(job, 'Downloading')
    } else if (detail === 'Downloading') {
      this.#enter(job, 'Training')
      this.#report(job, { event: 'started', pid: 1, seconds: 0, job: job.request.TrainingJobName })
      this.#report(job, { event: 'phase', phase: 'training', seconds: 0 })
    } else {
      this.#step(job)
    }
  }

  /** What the program does between two looks. */
  #step(job: Job): void {
    const from = this.#lastCheckpoint(job)
    const step = Math.max(job.step, from) + 1
    const { seed } = job.request.HyperParameters ?? {}
    if (step === 6 && Number(seed) === waitingSeed && this.#isWaiting) return
    job.step = step
    if (step === 3 && this.endsWith !== null) {
      const { code, message = 'Killed', reason } = this.endsWith
      if (reason !== undefined) this.#report(job, { event: 'failed', reason, message, seconds: step })
      this.#end(job, 'Failed', 'Failed', `AlgorithmError: ${message}, exit code: ${code}`)
      return
    }
    const values = {}
    const point = {
      step,
      steps,
      tokens: step * 10,
      loss: 1 / step,
      accuracy: 0.5,
      learning_rate: 0.1,
      values,
    }
    this.#report(job, { event: 'point', seconds: step, ...point })
    this.#bucket.objects.set(this.#at(job, 'trainer.log'), Buffer.from(`starting\nstep ${step}\n`))
    if (step % 2 === 0) this.#save(job)
    if (step < steps) return
    const { S3OutputPath = '' } = job.request.OutputDataConfig ?? {}
    const model = `${keyOf(S3OutputPath)}${job.request.TrainingJobName}/output/model/`
    this.#bucket.objects.set(`${model}model.safetensors`, Buffer.from('trained weights'))
    this.#bucket.objects.set(`${model}config.json`, Buffer.from('{}'))
    this.#report(job, { event: 'succeeded', folder: '/opt/ml/model', context_length: 64, seconds: step })
    this.#end(job, 'Completed', 'Completed')
  }

  #save(job: Job): void {
    if (job.step === 0) return
    const folder = this.#at(job, `checkpoint-${job.step}/`)
    const files = {
      'model.safetensors': `weights at ${job.step}`,
      'config.json': '{}',
      'optimizer.pt': 'moments',
    }
    for (const [name, text] of Object.entries(files))
      this.#bucket.objects.set(`${folder}${name}`, Buffer.from(text))
    const sizes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.length]))
    const marker = JSON.stringify({ step: job.step, files: sizes })
    this.#bucket.objects.set(`${folder}espalier.json`, Buffer.from(marker))
  }

  #lastCheckpoint(job: Job): number {
    const prefix = this.#at(job, 'checkpoint-')
    const found = [...this.#bucket.objects.keys()].filter(
      (key) => key.startsWith(prefix) && key.endsWith('/espalier.json'),
    )
    return Math.max(0, ...found.map((key) => Number.parseInt(key.slice(prefix.length), 10)))
  }

  #report(job: Job, line: object): void {
    this.#bucket.append(this.#at(job, 'progress.jsonl'), `${JSON.stringify(line)}\n`)
  }

  #at(job: Job, name: string): string {
    return `${keyOf(job.request.CheckpointConfig?.S3Uri ?? '')}${name}`
  }

  #stop(job: Job): void {
    job.status = 'Stopping'
    this.#enter(job, 'Stopping')
  }

  #end(job: Job, status: TrainingJobStatus, detail: SecondaryStatus, failure?: string): void {
    job.status = status
    if (failure !== undefined) job.failure = failure
    this.#enter(job, detail)
  }

  #enter(job: Job, detail: SecondaryStatus): void {
    const last = job.transitions.at(-1)
    if (last !== undefined) last.EndTime = new Date(this.now())
    job.transitions.push({ Status: detail, StartTime: new Date(this.now()) })
  }

  #last(): Job {
    const job = [...this.#jobs.values()].at(-1)
    if (job === undefined) throw new Error('There is no job.')
    return job
  }

  #find(name: string): Job {
    const job = this.#jobs.get(name)
    if (job === undefined) throw exception('ValidationException', 'Requested resource not found.')
    return job
  }
}

function exception(name: string, message: string): SageMakerServiceException {
  return new SageMakerServiceException({ name, message, $fault: 'client', ...metadata })
}

function keyOf(address: string): string {
  return address.replace(/^s3:\/\/[^/]+\//, '')
}
