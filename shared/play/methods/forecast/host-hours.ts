import type { Figure } from '../../../core/contracts/estimate.ts'

/** Assumed seconds per model call, and seconds that a host stays after its last session. */
const usualCall = 3
const usualIdle = 300

export interface HostWork {
  atOnce: number
  calls: Figure
  sideBySide: number
  slots: number | 'worker' | 'elsewhere'
}

export function hostHours({ atOnce, calls, sideBySide, slots }: HostWork): {
  figure: Figure
  reason: string
} {
  if (typeof slots === 'string') {
    const where = slots === 'worker' ? 'inside the worker' : 'on a server of its own'
    return {
      figure: { expected: 0, at_most: 0 },
      reason: `None: the environment runs ${where}.`,
    }
  }
  const hosts = Math.ceil(atOnce / slots)
  const hours = (made: number) =>
    (hosts * (((made / sideBySide) * usualCall) / Math.max(1, atOnce) + usualIdle)) / 3600
  return {
    figure: { expected: hours(calls.expected), at_most: hours(calls.at_most) },
    reason: `${hosts} ${hosts === 1 ? 'host' : 'hosts'} of up to ${slots} sessions, for as long as the calls take at ${usualCall} seconds each, and ${usualIdle / 60} minutes more until they are idle for too long.`,
  }
}
