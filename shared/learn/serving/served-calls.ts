import type { Clock, Ledger } from '../../core/world/ports.ts'
import { ModelError } from '../../play/models/model-error.ts'
import type { ServedAddresses, ServerAddress } from '../../play/models/served-models.ts'
import { type ServerRow, serverLedger } from './server-ledger.ts'

const addressCacheMilliseconds = 300
const poll = 200
const noteEveryMilliseconds = 2000
const useEvery = 10_000

/**
 * Addresses of served models, from the ledger. Calls in any process record that they wait for a server, so that the
 * supervisor starts it, and that they use it, so that it keeps running.
 */
export class ServedCalls implements ServedAddresses {
  readonly #rows: ReturnType<typeof serverLedger>
  readonly #clock: Clock
  readonly #seen = new Map<string, { row: ServerRow; at: number }>()
  readonly #used = new Map<string, { calls: number; at: number; timer: NodeJS.Timeout | null }>()
  readonly #onError: (error: unknown) => void

  constructor({
    ledger,
    clock,
    onError,
  }: {
    ledger: Ledger
    clock: Clock
    onError: (error: unknown) => void
  }) {
    this.#rows = serverLedger(ledger)
    this.#clock = clock
    this.#onError = onError
  }

  async waitFor(
    model: string,
    { signal, onWait }: { signal?: AbortSignal; onWait: (what: string) => void },
  ): Promise<ServerAddress> {
    const begun = this.#clock.now()
    const seen = this.#seen.get(model)
    if (seen !== undefined && isWithin(seen.at, begun, addressCacheMilliseconds)) return addressOf(seen.row)
    let noted = Number.NEGATIVE_INFINITY
    for (;;) {
      signal?.throwIfAborted()
      const row = await this.#rows.read(model)
      const now = this.#clock.now()
      if (row === null) throw notServed(model)
      if (row.state === 'running' && row.address !== null) {
        this.#seen.set(model, { row, at: now })
        return addressOf(row)
      }
      if (row.state === 'failed' && row.ended_at >= begun) throw notStarted(row)
      if (!isWithin(noted, now, noteEveryMilliseconds)) {
        noted = now
        await this.#rows.change(model, { wanted_at: now })
        onWait(`The server of ${row.name} is not running yet${row.note === null ? '' : `: ${row.note}`}`)
      }
      await this.#clock.sleep(poll, signal)
    }
  }

  async isCurrent(model: string, address: ServerAddress): Promise<boolean> {
    this.#seen.delete(model)
    const row = await this.#rows.read(model)
    return row?.state === 'running' && row.life === address.life
  }

  begin(model: string): () => void {
    const use = this.#used.get(model) ?? { calls: 0, at: Number.NEGATIVE_INFINITY, timer: null }
    this.#used.set(model, use)
    use.calls++
    use.timer ??= setInterval(() => this.#noteUse(model), useEvery).unref()
    if (!isWithin(use.at, this.#clock.now(), useEvery)) this.#noteUse(model)
    return () => {
      use.calls--
      if (use.calls > 0 || use.timer === null) return
      clearInterval(use.timer)
      use.timer = null
    }
  }

  #noteUse(model: string): void {
    const use = this.#used.get(model)
    if (use === undefined) return
    use.at = this.#clock.now()
    this.#rows.change(model, { used_at: use.at }).catch(this.#onError)
  }
}

/** Returns true if less than `duration` has passed. A clock set back does not stop time. */
function isWithin(since: number, now: number, duration: number): boolean {
  return now >= since && now - since < duration
}

function addressOf({ address, life }: ServerRow): ServerAddress {
  return { url: address ?? '', life }
}

function notServed(model: string): ModelError {
  return new ModelError(`${model} is no longer served. Serve it again: espalier models serve ${model}.`, {
    transient: false,
    endpointStatus: null,
    failure: 'refused',
  })
}

function notStarted({ endpoint, log_tail, note }: ServerRow): ModelError {
  const tail = log_tail.length === 0 ? '' : ` Its last lines: ${log_tail.slice(-5).join(' | ')}`
  return new ModelError(`The server of "${endpoint}" did not start: ${note ?? 'it ended'}${tail}`, {
    transient: false,
    endpointStatus: null,
    failure: 'refused',
  })
}
