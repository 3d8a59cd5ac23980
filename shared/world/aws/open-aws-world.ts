import type { QueueName, World } from '../ports.ts'
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
  /** The S3 bucket of the objects. */
  bucket: string
  /** The addresses of each SQS queue and of its dead-letter queue. */
  queues: Record<QueueName, { url: string; dead_letters: string }>
  /** Where hosts are launched; null in a process that launches none. */
  hosts: HostsOptions | null
  /**
   * How often a call is tried that is throttled, fails or gets no answer.
   *
   * @default 6
   */
  max_attempts?: number
  /** Called when AWS refuses a call for now, also where it is then made again. */
  onRefusal?: () => void
}

/**
 * Opens the world of a stage: S3, DynamoDB, SQS and ECS. Opening sends no request; each client is made when it is first used,
 * with credentials, region and addresses from the environment.
 */
export function openAwsWorld(options: AwsWorldOptions): World {
  const connections = new AwsConnections(options.max_attempts, { onRefusal: options.onRefusal ?? null })
  const ledger = new AwsLedger(connections, options.table)
  const openQueue = queuesOver(connections)
  const queue = (name: QueueName) =>
    openQueue({ ...options.queues[name], setting: `ESPALIER_QUEUE_${name.toUpperCase()}` })
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
    hosts: new AwsHosts(connections, { ledger, clock: systemClock, options: options.hosts }),
    clock: systemClock,
    close: () => connections.close(),
  }
}
