import type { RunRequest } from '../../shared/contracts/run.ts'
import { type Environment, isHosted } from '../../shared/environments/environment.ts'
import { fleetLimitsSchema } from '../../shared/hosts/fleet-limits.ts'
import { imageLimits } from '../../shared/hosts/image-limits.ts'
import type { HostWork } from '../../shared/methods/forecast/host-hours.ts'
import { pureImage } from './sessions-of.ts'

/** How many sessions one of our hosts holds that a run would use, or where its environment runs otherwise. */
export function slotsOf(environment: Environment, hosting: RunRequest['hosting']): HostWork['slots'] {
  if (!isHosted(environment)) return hosting === 'host' ? slotsOfImage(pureImage) : 'worker'
  const { host } = environment
  return host.kind === 'image' ? slotsOfImage(host.image) : 'elsewhere'
}

function slotsOfImage(image: string): number {
  return fleetLimitsSchema.parse({ ...imageLimits[image] }).slots
}
