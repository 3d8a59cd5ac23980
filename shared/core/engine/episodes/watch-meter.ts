import type { EndpointWarning } from '../../contracts/endpoint-warning.ts'
import type { Meter } from '../../contracts/meter.ts'

export interface MeterWatcher {
  onLost(): void
  /** @param milliseconds - since its price was reserved */
  onAnswered(milliseconds: number): void
  onTrouble(problem: string): void
  onWarning(warning: EndpointWarning): void
}

export function watchMeter(meter: Meter, { onLost, onAnswered, onTrouble, onWarning }: MeterWatcher): Meter {
  return {
    troubled: onTrouble,
    warned: onWarning,
    async reserve(upperBound) {
      const reservation = await meter.reserve(upperBound)
      const reservedAt = performance.now()
      return {
        id: reservation.id,
        settle: (spent) => {
          onAnswered(performance.now() - reservedAt)
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
