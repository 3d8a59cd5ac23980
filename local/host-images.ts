import { extname, join } from 'node:path'
import type { HostImage } from '../shared/environments/runtimes/image-runtimes.ts'

const containers = join(import.meta.dirname, '..', 'containers')
/** The extension of this file: `.ts` in the repository, `.js` in the package. */
const extension = extname(import.meta.filename)

export const hostImages: Readonly<Record<HostImage, string>> = {
  'env-host': join(containers, 'env-host', `env-host${extension}`),
  scienceworld: join(containers, 'scienceworld', `scienceworld${extension}`),
  browser: join(containers, 'browser', `browser${extension}`),
  desktop: join(containers, 'desktop', `desktop${extension}`),
  browsergym: join(containers, 'browsergym', `browsergym${extension}`),
  program: join(containers, 'program', `program${extension}`),
  'alfworld-textworld': join(containers, 'alfworld-textworld', `alfworld-textworld${extension}`),
}
