import { Duration, Validations } from 'aws-cdk-lib'
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { ConcurrencyShares } from './concurrency.ts'
import { everyMinute, rarelyBusy } from './every-minute.ts'
import type { FunctionInputs } from './function-inputs.ts'
import * as grants from './grants.ts'
import type { Hosts } from './hosts.ts'
import { playerGrants, readKeys } from './player-grants.ts'
import { deadLetterSeconds, type QueueWithDeadLetters, workSeconds } from './queues.ts'
import { ServiceFunction } from './service-function.ts'

const fedByQueue = 'SQS invokes it, and keeps the messages of a failed invocation.'

export interface EngineProperties extends FunctionInputs {
  hosts: Pick<Hosts, 'callHost' | 'scaleHosts'> | null
  shares: ConcurrencyShares
  /** Maximum messages of one invocation, and the seconds that Lambda waits to collect them. */
  batch: number
  batchWindow: number
}

export class Engine extends Construct {
  readonly advanceEpisodes: ServiceFunction
  readonly buildDataset: ServiceFunction
  readonly sweep: ServiceFunction
  /** Null if the sweeper handles dead letters because the account's quota is low. */
  readonly deadLetters: ServiceFunction | null

  constructor(scope: Construct, id: string, parts: EngineProperties) {
    super(scope, id)
    const { batch, batchWindow, environment, endpoints, environments, hosts, shares } = parts
    const { bucket, table } = parts.storage
    const { episodes, alone, datasets } = parts.queues.queues

    this.advanceEpisodes = new ServiceFunction(this, 'AdvanceEpisodes', 'advance-episodes', {
      description: 'Plays episodes',
      timeout: workSeconds,
      memory: 1024,
      environment: { ...environment, ...(hosts && wayToHosts(hosts, shares)) },
      files: { endpoints, environments },
      failures: fedByQueue,
      grants: [
        ...playerGrants(this, {
          stage: parts.stage,
          storage: parts.storage,
          takes: [episodes.queue, alone.queue],
          sends: [episodes.queue, alone.queue],
        }),
        ...(hosts === null
          ? []
          : [
              {
                actions: ['lambda:InvokeFunction'],
                resources: [hosts.callHost.lambda.functionArn, hosts.scaleHosts.lambda.functionArn],
              },
            ]),
      ],
    })
    const few = { batchSize: 1, maxConcurrency: shares.few }
    feed(this, 'Episodes', this.advanceEpisodes, episodes, {
      batchSize: batch,
      maxConcurrency: shares.episodes,
      ...(batchWindow > 0 && { maxBatchingWindow: Duration.seconds(batchWindow) }),
    })
    feed(this, 'Alone', this.advanceEpisodes, alone, few)

    this.buildDataset = new ServiceFunction(this, 'BuildDataset', 'build-dataset', {
      description: 'Builds datasets, part by part',
      timeout: workSeconds,
      memory: 1024,
      environment,
      files: { endpoints, environments },
      failures: fedByQueue,
      grants: [
        grants.changeLedger(table),
        grants.readObjects(bucket, ['runs', 'trajectories', 'datasets', 'blobs', 'packs']),
        // A dataset whose kind calls a model starts that run itself.
        grants.writeObjects(bucket, ['datasets', 'runs']),
        grants.deleteObjects(bucket, ['datasets/*/parts']),
        grants.listObjects(bucket),
        grants.consume(datasets.queue),
        grants.sendTo(datasets.queue, episodes.queue, alone.queue),
      ],
    })
    feed(this, 'Datasets', this.buildDataset, datasets, few)

    this.sweep = new ServiceFunction(this, 'Sweep', 'sweep', {
      description: 'Puts right what died on the way',
      timeout: 300,
      memory: 512,
      environment: {
        ...environment,
        ...(!shares.feedsDeadLetters && { ESPALIER_SWEEP_DEAD_LETTERS: 'true' }),
      },
      files: { endpoints, environments },
      untraced: rarelyBusy,
      failures: 'The invocation of the next minute does what a failed one left.',
      grants: [
        grants.changeLedger(table),
        grants.readObjects(bucket, ['runs']),
        grants.writeObjects(bucket, ['runs']),
        // For the remains of deleted objects.
        grants.deleteObjects(bucket, ['runs', 'trajectories', 'datasets']),
        grants.listObjects(bucket),
        grants.sendTo(episodes.queue, alone.queue, datasets.queue),
        ...readKeys(this, parts.stage),
      ],
    })
    everyMinute(this, this.sweep)
    this.deadLetters = shares.feedsDeadLetters ? this.#createDeadLetters(parts) : null
    if (this.deadLetters === null) this.#letSweepBury(parts)
  }

  #letSweepBury({ storage, queues }: EngineProperties): void {
    this.sweep.may(grants.readObjects(storage.bucket, ['datasets']))
    this.sweep.may(grants.writeObjects(storage.bucket, ['datasets']))
    this.sweep.may(grants.consume(...queues.all().map(({ deadLetters }) => deadLetters)))
  }

  #createDeadLetters(parts: EngineProperties): ServiceFunction {
    const { environment, endpoints, environments } = parts
    const { bucket, table } = parts.storage
    const { episodes, alone, datasets } = parts.queues.queues
    const deadLetters = new ServiceFunction(this, 'DeadLetters', 'dead-letters', {
      description: 'Ends what was tried again and again, with its cause',
      timeout: deadLetterSeconds,
      memory: 512,
      environment,
      files: { endpoints, environments },
      failures: fedByQueue,
      grants: [
        grants.changeLedger(table),
        grants.readObjects(bucket, ['runs', 'datasets']),
        grants.writeObjects(bucket, ['runs', 'datasets']),
        grants.listObjects(bucket),
        grants.consume(...parts.queues.all().map(({ deadLetters }) => deadLetters)),
        // An abandoned dataset is sent once more, to delete the remains of its build.
        grants.sendTo(episodes.queue, alone.queue, datasets.queue),
      ],
    })
    for (const [name, queue] of Object.entries(parts.queues.queues)) {
      const source = { queue: queue.deadLetters, deadLetters: queue.deadLetters }
      feed(this, `Dead-${name}`, deadLetters, source, { batchSize: 10, maxConcurrency: 2 })
    }
    return deadLetters
  }
}

function wayToHosts(
  { callHost, scaleHosts }: Pick<Hosts, 'callHost' | 'scaleHosts'>,
  { hostCalls }: ConcurrencyShares,
): Record<string, string> {
  return {
    ESPALIER_CALL_HOST: callHost.lambda.functionName,
    ESPALIER_SCALE_HOSTS: scaleHosts.lambda.functionName,
    ESPALIER_HOST_CALLS: String(hostCalls),
  }
}

/** Lambda returns only failed messages of a batch to the queue. */
function feed(
  scope: Construct,
  id: string,
  target: ServiceFunction,
  { queue }: QueueWithDeadLetters,
  limits: { batchSize: number; maxConcurrency: number; maxBatchingWindow?: Duration },
): void {
  const source = new EventSourceMapping(scope, `Feed-${id}`, {
    target: target.lambda,
    eventSourceArn: queue.queueArn,
    reportBatchItemFailures: true,
    ...limits,
  })
  Validations.of(source).acknowledge({
    id: 'Serverless-LambdaEventSourceMappingDestination',
    reason:
      'SQS takes no destination: what fails goes back to its queue, and from there to its dead letters.',
  })
}
