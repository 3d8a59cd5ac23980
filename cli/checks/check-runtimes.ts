import { definitions } from '../../shared/environments/environments.ts'
import type { ImageFacts } from '../../shared/environments/image-facts.ts'
import { images } from '../../shared/environments/images.ts'
import { missingOfImage } from '../../shared/environments/runtimes/image-runtimes.ts'
import type { RuntimeVariables } from '../../shared/environments/runtimes/missing-runtime.ts'
import { type Check, ok, warn } from './check.ts'

/** The environments that an image plays, by their ids. */
function playedOn({ id, kinds = [] }: ImageFacts): string[] {
  return [...definitions.filter(({ image }) => image?.id === id).map((each) => each.id), ...kinds]
}

const played = images
  .map((image) => ({ image, environments: inWords(playedOn(image)) }))
  .filter(({ environments }) => environments !== '')

function inWords(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

/**
 * Checks that this machine has the programs of each environment that needs some. A missing one is a warning with its cure, because all
 * else works without it.
 *
 * @param variables environment variables: `PATH`, and those that name programs, such as `ESPALIER_PYTHON`
 */
export async function checkRuntimes(variables: RuntimeVariables): Promise<Check[]> {
  return Promise.all(
    played.map(async ({ image, environments }) => {
      const name = image.label ?? image.id
      const missing = await missingOfImage(image.id, variables)
      if (missing.length === 0) return ok(name, `the programs of ${environments} are here`)
      const message = `${environments} cannot be played here. ${missing.map((each) => each.missing).join(' ')}`
      return warn(name, message, missing.map(({ cure }) => cure).join('\n      '))
    }),
  )
}
