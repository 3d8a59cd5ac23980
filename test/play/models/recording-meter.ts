import type { Meter, UpperBound } from '../../../shared/core/contracts/meter.ts'

/** A meter that writes down what happened to each reservation, in order. */
export function recordingMeter(prefix = 'call'): Meter & { events: string[]; bounds: UpperBound[] } {
  const events: string[] = []
  const bounds: UpperBound[] = []
  return {
    events,
    bounds,
    async reserve(upperBound) {
      const id = `${prefix}-${bounds.length}`
      bounds.push(upperBound)
      events.push(`reserve ${id}`)
      return {
        id,
        async settle({ input_tokens, output_tokens }) {
          events.push(`settle ${id} ${input_tokens}+${output_tokens}`)
        },
        async release() {
          events.push(`release ${id}`)
        },
        async lose() {
          events.push(`lose ${id}`)
        },
      }
    },
  }
}
