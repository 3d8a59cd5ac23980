import { onTestFinished, vi } from 'vitest'

/**
 * Lets a test end the timers of this many milliseconds when it wants: by themselves they take so long that no busy
 * machine comes near. All other timers stay as they are.
 */
export function heldTimers(milliseconds: number): { end: () => void } {
  const held: (() => void)[] = []
  const original = globalThis.setTimeout
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: (...rest: unknown[]) => void,
    delay?: number,
    ...rest: unknown[]
  ) => {
    if (delay === milliseconds) held.push(() => work(...rest))
    return original(work, delay, ...rest)
  }) as typeof setTimeout)
  onTestFinished(() => spy.mockRestore())
  return {
    end() {
      for (const work of held.splice(0)) work()
    },
  }
}
