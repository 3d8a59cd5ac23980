import { z } from 'zod'
import {
  type FleetLimits,
  fleetChangesSchema,
  fleetLimitsSchema,
} from '../../shared/environments/hosts/fleet-limits.ts'

const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: `It is not JSON: ${String(error)}` })
    return z.NEVER
  }
})

const settingsSchema = z.object({
  ESPALIER_CALL_HOST: z.string().min(1).describe('The function that reaches the hosts.'),
  ESPALIER_FLEETS: jsonText
    .pipe(z.record(z.string(), fleetChangesSchema))
    .default({})
    .describe('Limits of fleets, by image, that are not the usual ones.'),
})

export interface FleetSettings {
  callHost: string
  fleets: Record<string, FleetLimits>
}

export function readFleetSettings(
  environment: Readonly<Record<string, string | undefined>>,
  images: readonly string[],
): FleetSettings {
  const { ESPALIER_CALL_HOST, ESPALIER_FLEETS } = settingsSchema.parse(environment)
  const unknown = Object.keys(ESPALIER_FLEETS).filter((image) => !images.includes(image))
  if (unknown.length > 0)
    throw new Error(`ESPALIER_FLEETS names images that do not exist: ${unknown.join(', ')}.`)
  const fleets = Object.fromEntries(
    images.map((image) => [image, fleetLimitsSchema.parse(ESPALIER_FLEETS[image] ?? {})]),
  )
  return { callHost: ESPALIER_CALL_HOST, fleets }
}
