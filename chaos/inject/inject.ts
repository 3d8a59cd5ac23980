import { LocalQueue } from '../../shared/core/world/local/local-queue.ts'
import type { IncomingMessage, Queue } from '../../shared/core/world/ports.ts'
import { type Control, noteFault, readControl } from './control.ts'
import { failWrites } from './fail-writes.ts'

const longestDelay = 1.5

export interface Faults {
  readonly control: Control
  /** Uniform in [0, 1). */
  chance(): number
  note(fault: string): void
}

const lookEvery = 40

export async function inject(path: string, world?: string): Promise<void> {
  let control: Control = readControl(path)
  const faults: Faults = {
    get control() {
      return control
    },
    chance: Math.random,
    note: (fault) => noteFault(path, fault),
  }
  shiftClock(faults)
  failWrites(faults)
  upsetQueues(faults, LocalQueue)
  if (world === 'postgres') (await import('./upset-postgres.ts')).upsetPostgres(faults)
  setInterval(() => {
    control = readControl(path)
  }, lookEvery).unref()
}

/** Shifts `Date` as if the clock had been set. Timers keep the true time. */
export function shiftClock(faults: Pick<Faults, 'control'>): void {
  const trueNow = Date.now.bind(Date)
  const now = () => trueNow() + faults.control.clock
  globalThis.Date = new Proxy(Date, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as Date,
    apply: (target) => new target(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}

export function upsetQueues(faults: Faults, { prototype }: { prototype: Queue }): void {
  const receive = prototype.receive
  prototype.receive = async function (this: Queue, options) {
    const messages = await receive.call(this, options)
    const kept: IncomingMessage[] = []
    for (const message of messages) {
      const { body, group, receipt } = message
      if (faults.chance() < faults.control.duplicates) {
        faults.note('duplicates')
        await this.send([{ body, group }])
      }
      if (faults.chance() < faults.control.reorder) {
        faults.note('reorder')
        await this.send([{ body, group, delay: faults.chance() * longestDelay }])
        await this.delete(receipt)
      } else kept.push(message)
    }
    return kept.length > 0 ? kept.reverse() : kept
  }
}
