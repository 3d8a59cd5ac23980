import { type HostImage, missingOfImage } from '../../shared/environments/runtimes/image-runtimes.ts'
import type { RuntimeVariables } from '../../shared/environments/runtimes/missing-runtime.ts'
import { type Check, ok, warn } from './check.ts'

const played: readonly { name: string; image: HostImage; environments: string }[] = [
  { name: 'scienceworld', image: 'scienceworld', environments: 'scienceworld and scienceworld-plain' },
  { name: 'alfworld-textworld', image: 'alfworld-textworld', environments: 'alfworld-textworld' },
  { name: 'browsers', image: 'browser', environments: 'miniwob, sites, webarena and browsergym' },
  { name: 'desktops', image: 'desktop', environments: 'desktop and osworld' },
]

/**
 * Checks that this machine has the programs of each environment that needs some. A missing one is a warning with its cure, because all
 * else works without it.
 *
 * @param variables environment variables: `PATH`, and those that name programs, such as `ESPALIER_PYTHON`
 */
export async function checkRuntimes(variables: RuntimeVariables): Promise<Check[]> {
  return Promise.all(
    played.map(async ({ name, image, environments }) => {
      const missing = await missingOfImage(image, variables)
      if (missing.length === 0) return ok(name, `the programs of ${environments} are here`)
      const message = `${environments} cannot be played here. ${missing.map((each) => each.missing).join(' ')}`
      return warn(name, message, missing.map(({ cure }) => cure).join('\n      '))
    }),
  )
}
