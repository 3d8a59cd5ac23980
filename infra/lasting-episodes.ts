import { Duration, Stack } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import * as grants from './grants.ts'
import { type Queues, workSeconds } from './queues.ts'
import type { ServiceFunction } from './service-function.ts'

/**
 * The queue of the episodes that long-lived workers play. Its dead letters are those of `episodes`: the same function deals with
 * them, and sends an episode that is to be played again where its run's episodes go.
 */
export class LastingEpisodes extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { queues }: Queues) {
    super(scope, id)
    this.queue = new Queue(this, 'Queue', {
      queueName: `${Stack.of(this).stackName}-lasting`,
      retentionPeriod: Duration.days(7),
      visibilityTimeout: Duration.seconds(workSeconds + 60),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: queues.episodes.deadLetters, maxReceiveCount: 5 },
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    })
  }

  /** Lets the functions that send episodes send them here too. */
  receiveFrom(...functions: ServiceFunction[]): void {
    for (const each of functions) each.may(grants.sendTo(this.queue))
  }
}
