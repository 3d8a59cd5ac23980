import type { ModelClock } from '../../../shared/play/models/model-clock.ts'

/** A clock whose sleeps end at once and are written down. */
export function fakeClock(): ModelClock & { slept: number[] } {
  let time = 0
  const slept: number[] = []
  return {
    slept,
    now: () => time,
    async sleep(milliseconds) {
      slept.push(milliseconds)
      time += milliseconds
    },
  }
}
