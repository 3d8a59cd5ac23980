import type { Meter } from '../../shared/core/contracts/meter.ts'

/** Counts nothing: for tests that are not about money. */
export const freeMeter: Meter = {
  reserve: async () => ({
    id: 'free',
    settle: async () => undefined,
    release: async () => undefined,
    lose: async () => undefined,
  }),
}
