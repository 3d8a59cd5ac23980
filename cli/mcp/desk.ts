import { type Connection, connect, lookAt } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'
import type { Allowance } from './allowance.ts'

export interface Desk {
  readonly allowance: Allowance
  /** Reads. Over a data folder without a service this plays nothing, and the folder is free again afterwards. */
  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Writes. The connection stays open until `close`: over a data folder without a service, it plays the runs. */
  play<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export function openDesk(options: GlobalOptions, terminal: Terminal, allowance: Allowance): Desk {
  let playing: Promise<Connection> | null = null
  let last: Promise<unknown> = Promise.resolve()

  // A process can hold a data folder once, so calls that open it wait for each other.
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  async function open(): Promise<Connection> {
    playing ??= inTurn(() => connect(options, terminal))
    try {
      return await playing
    } catch (error) {
      playing = null
      throw error
    }
  }

  return {
    allowance,
    async read(work) {
      if (playing !== null) return work(await open())
      if (options.service !== undefined) return lookAt(options, terminal, work)
      return inTurn(() => lookAt(options, terminal, work))
    },
    play: async (work) => work(await open()),
    async close() {
      await last
      await (await playing)?.close()
    },
  }
}
