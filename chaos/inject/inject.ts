import { type Control, noteFault, readControl } from './control.ts'
import { failWrites } from './fail-writes.ts'
import { shiftClock } from './shift-clock.ts'
import { upsetQueues } from './upset-queues.ts'

/** What the faults check before each operation, and record after it. */
export interface Faults {
  readonly control: Control
  /** Uniform in [0, 1). */
  chance(): number
  note(fault: string): void
}

/** Milliseconds between looks at the file. */
const lookEvery = 40

/** Makes this process go wrong as the file at `path` says, from now on. */
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
