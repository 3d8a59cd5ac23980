import type { EffectTiming, SegmentTiming } from './journal-record.ts'

// The times are in milliseconds; `waited` and `held` are seconds, as in the outcome.
export interface MeasuredEffect {
  began: number
  ended: number
  waited: number
  held: number
}

export class SegmentClock {
  #since = 0
  #next: Pick<SegmentTiming, 'setup' | 'commit'> = {}

  begin(setup?: number): void {
    this.#since = performance.now()
    this.#next = setup === undefined ? {} : { setup: wholeMs(setup) }
  }

  // Ends a stretch, of which `worked` is the working time in seconds, and begins the next one.
  lap(effects: readonly MeasuredEffect[]): { worked: number; timing: SegmentTiming } {
    const now = performance.now()
    const passed = now - this.#since
    const waited = effects.reduce((sum, effect) => sum + effect.waited, 0)
    const timing = {
      passed: wholeMs(passed),
      ...this.#next,
      effects: effects.map((effect) => toTiming(effect, now)),
    }
    this.#since = now
    this.#next = {}
    return { worked: Math.max(0, passed / 1000 - waited), timing }
  }

  committed(): void {
    this.#next = { commit: wholeMs(performance.now() - this.#since) }
  }
}

function toTiming({ began, ended, waited, held }: MeasuredEffect, now: number): EffectTiming {
  return [wholeMs(now - began), wholeMs(now - ended), wholeMs(waited * 1000), wholeMs(held * 1000)]
}

function wholeMs(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds))
}
