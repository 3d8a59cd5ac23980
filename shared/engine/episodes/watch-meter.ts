import type { Meter } from '../../contracts/meter.ts'

export interface MeterWatcher {
  /** A call was sent and brought no answer. */
  onLost(): void
  onAnswered(): void
  /** A call failed and will be tried again. */
  onTrouble(problem: string): void
}

/** The same meter, which also reports what becomes of its calls. */
export function watchMeter(meter: Meter, { onLost, onAnswered, onTrouble }: MeterWatcher): Meter {
  return {
    troubled: onTrouble,
    async reserve(upperBound) {
      const reservation = await meter.reserve(upperBound)
      return {
        id: reservation.id,
        settle: (spent) => {
          onAnswered()
          return reservation.settle(spent)
        },
        release: () => reservation.release(),
        lose: () => {
          onLost()
          return reservation.lose()
        },
      }
    },
  }
}
