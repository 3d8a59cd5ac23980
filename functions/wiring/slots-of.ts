import type { RunRequest } from '../../shared/contracts/run.ts'
import { type Environment, isPure } from '../../shared/environments/environment.ts'
import { fleetLimitsSchema } from '../../shared/hosts/fleet-limits.ts'
import { imageLimits } from '../../shared/hosts/image-limits.ts'
import { pureImage } from './sessions-of.ts'

/** How many sessions one host holds that a run would use; null where it uses none of ours. */
export function slotsOf(environment: Environment, hosting: RunRequest['hosting']): number | null {
  const image = imageOf(environment, hosting)
  return image === null ? null : fleetLimitsSchema.parse({ ...imageLimits[image] }).slots
}

function imageOf(environment: Environment, hosting: RunRequest['hosting']): string | null {
  if (isPure(environment)) return hosting === 'host' ? pureImage : null
  return environment.host.kind === 'image' ? environment.host.image : null
}
