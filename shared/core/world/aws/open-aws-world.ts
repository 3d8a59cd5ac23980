import type { Queue, QueueName, World } from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import { AwsConnections } from './aws-connections.ts'
import { AwsHosts } from './aws-hosts.ts'
import { AwsLedger } from './aws-ledger.ts'
import { AwsObjects } from './aws-objects.ts'
import { queuesOver } from './aws-queue.ts'
import type { HostsOptions } from './run-task.ts'

export interface AwsWorldOptions {
  /** The DynamoDB table of the ledger: keys `pk` and `sk`, TTL attribute `ttl`. */
  table: string
  bucket: string
  queues: Record<QueueName, { url: string; dead_letters: string }>
  /**
   * The address of the queue of episodes for long-lived workers, whose dead letters are those of `episodes`. @default
   * there is none
   */
  lasting?: string
  hosts: HostsOptions | null
  /**
   * Tries of a throttled, failed or unanswered call.
   * @default 6
   */
  max_attempts?: number
  onRefusal?: () => void
}

export interface AwsWorld extends World {
  readonly lasting: Queue | null
}

/**
 * Opens the world of a stage: S3, DynamoDB, SQS and ECS. Opening sends no request; each client is created on first
 * use, with credentials, region and addresses from the environment.
 */
export function openAwsWorld(options: AwsWorldOptions): AwsWorld {
  const connections = new AwsConnections(options.max_attempts, { onRefusal: options.onRefusal ?? null })
  const ledger = new AwsLedger(connections, options.table)
  const openQueue = queuesOver(connections)
  const queue = (name: QueueName) =>
    openQueue({ ...options.queues[name], setting: `ESPALIER_QUEUE_${name.toUpperCase()}` })
  const { lasting } = options
  const { dead_letters } = options.queues.episodes
  return {
    name: 'aws',
    objects: new AwsObjects(connections, options.bucket),
    ledger,
    queues: {
      episodes: queue('episodes'),
      alone: queue('alone'),
      datasets: queue('datasets'),
      jobs: queue('jobs'),
    },
    lasting:
      lasting === undefined
        ? null
        : openQueue({ url: lasting, dead_letters, setting: 'ESPALIER_QUEUE_LASTING' }),
    hosts: new AwsHosts(connections, { ledger, clock: systemClock, options: options.hosts }),
    clock: systemClock,
    close: () => connections.close(),
  }
}
