import { type Control, noteFault, readControl } from './control.ts'
import { failWrites } from './fail-writes.ts'
import { upsetQueues } from './upset-queues.ts'

export interface Faults {
  readonly control: Control
  /** Uniform in [0, 1). */
  chance(): number
  note(fault: string): void
}

const lookEvery = 40

export function inject(path: string): void {
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
  upsetQueues(faults)
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
