import type { Meter } from '../shared/contracts/meter.ts'

/** For uncounted calls. */
export const freeMeter: Meter = {
  reserve: async () => ({
    id: '',
    settle: async () => undefined,
    release: async () => undefined,
    lose: async () => undefined,
  }),
}
