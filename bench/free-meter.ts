import type { Meter } from '../shared/core/contracts/meter.ts'

export const freeMeter: Meter = {
  reserve: async () => ({
    id: '',
    settle: async () => undefined,
    release: async () => undefined,
    lose: async () => undefined,
  }),
}
