import type { World } from '../../world/ports.ts'
import { type QueueConsumer, startQueueConsumer } from '../../world/queue-consumer.ts'
import { buryJob, type JobHandlers, takeJobMessage, toSecondMessage } from './job-messages.ts'

// Concurrent jobs, so that one that copies large files delays no other.
const looksAtOnce = 4

export function startJobConsumer(
  { queues, clock }: Pick<World, 'queues' | 'clock'>,
  handlers: JobHandlers,
  onError: (error: unknown) => void,
): QueueConsumer {
  const queue = queues.jobs
  return startQueueConsumer({
    queue,
    clock,
    onError,
    parallel: looksAtOnce,
    take: (message, signal) => takeJobMessage({ queue, handlers, onError }, message, signal),
    async bury(message) {
      const again = toSecondMessage(message)
      if (again !== null) return queue.send([again])
      if (await buryJob(handlers, message)) return
      onError(new Error('The queue held a message that names no job.'))
    },
  })
}
