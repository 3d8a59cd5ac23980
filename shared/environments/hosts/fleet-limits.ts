import { z } from 'zod'
import type { ImageFacts } from '../image-facts.ts'

const limits = {
  slots: z.int().positive().describe('Maximum number of sessions on one host.'),
  max_hosts: z.int().nonnegative().describe('Maximum number of hosts, including those that start or leave.'),
  burst: z.int().positive().describe('Maximum number of hosts launched in one pass.'),
  idle: z.number().positive().describe('Seconds without sessions after which a host is stopped.'),
  lost_after: z
    .number()
    .positive()
    .describe('Seconds without a heartbeat, or for starting, after which a host counts as lost.'),
}

export const fleetLimitsSchema = z.strictObject({
  slots: limits.slots.default(1000),
  max_hosts: limits.max_hosts.default(20),
  burst: limits.burst.default(10),
  idle: limits.idle.default(300),
  lost_after: limits.lost_after.default(300),
})

export type FleetLimits = z.infer<typeof fleetLimitsSchema>

export const fleetChangesSchema = z.strictObject(limits).partial()

export type FleetChanges = z.infer<typeof fleetChangesSchema>

export function fleetChangesOf(
  { slots }: Pick<ImageFacts, 'slots'>,
  changes: FleetChanges = {},
): FleetChanges {
  return { ...(slots !== undefined && { slots }), ...changes }
}
