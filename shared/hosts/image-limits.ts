import type { FleetChanges } from './fleet-limits.ts'

/**
 * How many sessions a host of each image holds, where that is not the usual number: each session of a simulator is a process
 * of its own.
 */
export const imageLimits: Readonly<Record<string, FleetChanges>> = {
  scienceworld: { slots: 8 },
  browser: { slots: 16 },
  browsergym: { slots: 4 },
  // Where namespaces are not to be had, a host holds one.
  desktop: { slots: 1 },
  'alfworld-textworld': { slots: 16 },
}
