import type {
  Clock,
  IncomingMessage,
  Ledger,
  Objects,
  OutgoingMessage,
  Queue,
  World,
} from '../../shared/core/world/ports.ts'
import { contentionAssumptions as assumptions } from './contention-assumptions.ts'

/**
 * A world around a ledger, sufficient for ends of episodes: it keeps objects and delivers messages, with the assumed
 * delays, by a clock that may be virtual.
 */
export function modelledWorld(clock: Clock, ledger: Ledger): World & { taken: Messages } {
  const taken = new Messages(clock)
  const missing = () => {
    throw new Error('The model has no such part.')
  }
  const episodes: Queue = {
    send: (messages) => taken.send(messages),
    receive: missing,
    delete: missing,
    extend: missing,
    dead_letters: { receive: missing, delete: missing },
  }
  const queues = { episodes, alone: episodes, datasets: episodes, jobs: episodes }
  const hosts = { launch: missing, describe: missing, list: missing, stop: missing }
  return {
    name: 'aws',
    clock,
    ledger,
    objects: modelledObjects(clock),
    queues,
    hosts,
    close: async () => undefined,
    taken,
  }
}

export class Messages {
  readonly #clock: Clock
  readonly #sent: OutgoingMessage[] = []
  readonly #waiting: ((message: OutgoingMessage) => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async send(messages: OutgoingMessage[]): Promise<void> {
    if (messages.length > 0) await this.#clock.sleep(assumptions.message)
    for (const message of messages) {
      const next = this.#waiting.shift()
      if (next === undefined) this.#sent.push(message)
      else next(message)
    }
  }

  async take(): Promise<IncomingMessage['body']> {
    const message =
      this.#sent.shift() ?? (await new Promise<OutgoingMessage>((resolve) => this.#waiting.push(resolve)))
    await this.#clock.sleep(assumptions.message)
    return message.body
  }
}

function modelledObjects(clock: Clock): Objects {
  const bodies = new Map<string, Uint8Array>()
  const info = (key: string) => ({ key, size: bodies.get(key)?.byteLength ?? 0, etag: '' })
  return {
    async put(key, body) {
      await clock.sleep(assumptions.object)
      bodies.set(key, body)
      return { written: true, etag: '' }
    },
    async get(key) {
      const body = bodies.get(key)
      return body === undefined ? null : { ...info(key), body, content_type: null }
    },
    head: async (key) => (bodies.has(key) ? info(key) : null),
    list: async () => ({ objects: [], more: false }),
    delete: async (key) => {
      bodies.delete(key)
    },
    sign: () => {
      throw new Error('The model signs nothing.')
    },
  }
}
