import type { OpenSimulatedModels } from '../models/model-pool.ts'

/** Opens simulated endpoints. Their policies are loaded when one is first asked: most processes ask none. */
export const openSimulatedModels: OpenSimulatedModels = async (name, endpoint, clock) => {
  const { createSimulatedModels } = await import('./simulated-models.ts')
  return createSimulatedModels(name, endpoint, clock)
}
