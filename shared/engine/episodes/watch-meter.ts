import type { Meter } from '../../contracts/meter.ts'

/** The same meter, which also tells of each call that was sent and brought no answer. */
export function watchMeter(meter: Meter, onLost: () => void): Meter {
  return {
    async reserve(upperBound) {
      const reservation = await meter.reserve(upperBound)
      return {
        id: reservation.id,
        settle: (spent) => reservation.settle(spent),
        release: () => reservation.release(),
        lose: () => {
          onLost()
          return reservation.lose()
        },
      }
    },
  }
}
