import { systemClock } from '../system-clock.ts'

const longest = 2000

/**
 * Waits before a retry: up to `first` milliseconds after the first try, twice as long after each further one. The
 * pause is random within that bound, so that colliding callers do not meet again.
 * @param tries number of tries so far
 */
export function jitteredPause(tries: number, first = 50): Promise<void> {
  return systemClock.sleep(Math.random() * Math.min(longest, first * 2 ** (tries - 1)))
}
