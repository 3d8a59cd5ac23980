import type { OutgoingMessage, Queue, QueueName } from '../../world/ports.ts'
import { episodeMessageSchema } from '../episodes/episode-message.ts'
import { refusedTo } from './change-checks.ts'
import type { JoinedPorts } from './join-gateway.ts'
import type { WorkerBook } from './worker-book.ts'

export interface QueueGuard {
  queues: Record<QueueName, Queue>
  book: WorkerBook
  playableRuns(): Promise<readonly string[]>
}

export function guardQueues(guard: QueueGuard): JoinedPorts['queues'] {
  return {
    episodes: guardQueue(guard, 'episodes'),
    alone: guardQueue(guard, 'alone'),
    datasets: closedQueue('datasets'),
    jobs: closedQueue('jobs'),
  }
}

function guardQueue({ queues, book, playableRuns }: QueueGuard, name: QueueName): Queue {
  const queue = queues[name]
  return {
    async receive(options) {
      const messages = await queue.receive({ ...options, groups: playableRuns })
      await book.note(name, messages)
      return messages
    },
    async send(messages) {
      for (const message of messages) await checkMessage(book, message)
      await queue.send(messages)
    },
    async delete(receipt) {
      if (!(await book.hasTaken(name, receipt))) return
      await queue.delete(receipt)
      await book.forget(name, receipt)
    },
    async extend(receipt, visibility) {
      if (!(await book.hasTaken(name, receipt))) return
      await queue.extend(receipt, visibility)
      if (visibility === 0) await book.forget(name, receipt)
    },
    dead_letters: closedQueue(`the dead letters of ${name}`),
  }
}

async function checkMessage(book: WorkerBook, { body, group }: OutgoingMessage): Promise<void> {
  const { data } = episodeMessageSchema.strict().safeParse(body)
  const isOwn = data !== undefined && data.run === group && (await book.hasEpisode(data.run, data.episode))
  if (!isOwn) throw refusedTo('send this message')
}

function closedQueue(name: string): Queue {
  const refuse = async () => {
    throw refusedTo(`use the queue "${name}"`)
  }
  const closed = { receive: refuse, delete: refuse }
  return { ...closed, send: refuse, extend: refuse, dead_letters: closed }
}
