import { z } from 'zod'

/** How large the fleet of one image may get, and when it shrinks. */
export const fleetLimitsSchema = z.strictObject({
  slots: z.int().positive().default(1000).describe('Sessions that one host holds.'),
  max_hosts: z.int().nonnegative().default(20).describe('Hosts at most, those that start or leave included.'),
  burst: z.int().positive().default(10).describe('Hosts that are launched in one pass at most.'),
  idle: z.number().positive().default(300).describe('Seconds without sessions before a host is stopped.'),
  lost_after: z
    .number()
    .positive()
    .default(300)
    .describe('Seconds without a sign of life, or for starting, before a host is given up.'),
})

export type FleetLimits = z.infer<typeof fleetLimitsSchema>
