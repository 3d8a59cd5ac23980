import type { Faults } from './inject.ts'

/** Shifts `Date` as if the clock had been set. Timers go on by the true time. */
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
