import type { IncomingMessage, OutgoingMessage, Queue } from '../ports.ts'

/**
 * One queue of the engine over two or more of the world: it sends to the queue of a message's group, and receives
 * from the one that this process serves.
 */
export class RoutedQueue implements Queue {
  readonly #own: Queue
  readonly #queueOf: (group: string) => Promise<Queue>

  constructor(own: Queue, queueOf: (group: string) => Promise<Queue>) {
    this.#own = own
    this.#queueOf = queueOf
  }

  get dead_letters(): Queue['dead_letters'] {
    return this.#own.dead_letters
  }

  async send(messages: OutgoingMessage[]): Promise<void> {
    const groups = Map.groupBy(messages, ({ group }) => group)
    const routed = await Promise.all(
      Array.from(groups, async ([group, those]) => ({ queue: await this.#queueOf(group), those })),
    )
    const byQueue = Map.groupBy(routed, ({ queue }) => queue)
    await Promise.all(
      Array.from(byQueue, ([queue, parts]) => queue.send(parts.flatMap(({ those }) => those))),
    )
  }

  receive(options: Parameters<Queue['receive']>[0]): Promise<IncomingMessage[]> {
    return this.#own.receive(options)
  }

  delete(receipt: string): Promise<void> {
    return this.#own.delete(receipt)
  }

  extend(receipt: string, visibility: number): Promise<void> {
    return this.#own.extend(receipt, visibility)
  }
}
