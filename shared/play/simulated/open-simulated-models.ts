import type { OpenSimulatedModels } from '../models/model-pool.ts'

/** Opens simulated endpoints. It loads their policies on the first call, because most processes never call one. */
export const openSimulatedModels: OpenSimulatedModels = async (name, endpoint, clock) => {
  const { createSimulatedModels } = await import('./simulated-models.ts')
  return createSimulatedModels(name, endpoint, clock)
}
