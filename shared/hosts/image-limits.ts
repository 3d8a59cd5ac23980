import type { FleetLimits } from './fleet-limits.ts'

/**
 * How many sessions a host of each image holds, where that is not the usual number: each session of a simulator is a process
 * of its own.
 */
export const imageLimits: Readonly<Record<string, Partial<FleetLimits>>> = {
  scienceworld: { slots: 8 },
  browser: { slots: 16 },
  browsergym: { slots: 4 },
  'alfworld-textworld': { slots: 16 },
}
