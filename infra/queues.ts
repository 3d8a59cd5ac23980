import { Duration, Stack, Validations } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import type { QueueName } from '../shared/core/world/ports.ts'

export const workSeconds = 900
export const deadLetterSeconds = 60

export interface QueueWithDeadLetters {
  queue: Queue
  deadLetters: Queue
}

export class Queues extends Construct {
  readonly queues: Readonly<Record<QueueName, QueueWithDeadLetters>>

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.queues = {
      episodes: this.#create('Episodes'),
      alone: this.#create('Alone'),
      datasets: this.#create('Datasets'),
      jobs: this.#create('Jobs'),
    }
  }

  all(): QueueWithDeadLetters[] {
    return Object.values(this.queues)
  }

  #create(name: string): QueueWithDeadLetters {
    const base = `${Stack.of(this).stackName}-${name.toLowerCase()}`
    const deadLetters = new Queue(this, `${name}DeadLetters`, {
      queueName: `${base}-dead`,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(deadLetterSeconds * 6),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    })
    const queue = new Queue(this, name, {
      queueName: base,
      // A dead letter's age counts from its first sending, so it must have days left in its queue.
      retentionPeriod: Duration.days(7),
      visibilityTimeout: Duration.seconds(workSeconds + 60),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    })
    Validations.of(deadLetters).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason:
        'This is itself a dead-letter queue. A message that its function cannot deal with comes back to it, raises an alarm, and is kept for 14 days.',
    })
    return { queue, deadLetters }
  }
}
