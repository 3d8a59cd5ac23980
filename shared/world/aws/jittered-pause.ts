import { systemClock } from '../system-clock.ts'

/** The longest pause before a call is tried again. Milliseconds. */
const longest = 2000

/**
 * Waits before a call is tried again: up to `first` milliseconds after the first try, twice as long after each further
 * one. Which part of it is chance, so that those who collided do not meet again.
 *
 * @param tries how often it was tried so far
 */
export function jitteredPause(tries: number, first = 50): Promise<void> {
  return systemClock.sleep(Math.random() * Math.min(longest, first * 2 ** (tries - 1)))
}
