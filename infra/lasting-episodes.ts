import { Duration, Stack } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import * as grants from './grants.ts'
import { type Queues, workSeconds } from './queues.ts'
import type { ServiceFunction } from './service-function.ts'

/**
 * The queue of episodes for long-lived workers. It shares the dead-letter queue of `episodes`: the same function
 * handles both, and sends a retried episode to its run's queue.
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

  receiveFrom(...functions: ServiceFunction[]): void {
    for (const each of functions) each.may(grants.sendTo(this.queue))
  }
}
