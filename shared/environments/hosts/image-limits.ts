import type { FleetChanges } from './fleet-limits.ts'

/** Sessions per host for images without the default number: each session of a simulator is a process of its own. */
export const imageLimits: Readonly<Record<string, FleetChanges>> = {
  scienceworld: { slots: 8 },
  browser: { slots: 16 },
  browsergym: { slots: 4 },
  // Without namespaces, a host holds one.
  desktop: { slots: 1 },
  'alfworld-textworld': { slots: 16 },
}
