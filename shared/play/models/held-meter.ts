import type { Meter } from '../../core/contracts/meter.ts'

/**
 * A meter for one call that also measures the seconds in which no request of the call was with an endpoint, until its
 * last request was sent.
 */
export function heldMeter(meter: Meter): { meter: Meter; held(): number } {
  let since = performance.now()
  let held = 0
  let sent = 0
  const back = () => {
    sent -= 1
    if (sent === 0) since = performance.now()
  }
  return {
    held: () => held / 1000,
    meter: {
      troubled: (problem) => meter.troubled?.(problem),
      warned: (warning) => meter.warned?.(warning),
      async reserve(upperBound) {
        const reservation = await meter.reserve(upperBound)
        if (sent === 0) held += performance.now() - since
        sent += 1
        return {
          id: reservation.id,
          settle: (spent) => {
            back()
            return reservation.settle(spent)
          },
          release: () => {
            back()
            return reservation.release()
          },
          lose: () => {
            back()
            return reservation.lose()
          },
        }
      },
    },
  }
}
