import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { images } from '../../shared/environments/images.ts'

const root = join(import.meta.dirname, '../..')
const ofHosts = images
  .map(({ folder }) => `${folder}/requirements.txt`)
  .filter((list) => existsSync(join(root, list)))

/**
 * The lists of Python packages that users install, and maintenance lists. An `isAlone` list is installed without its
 * packages' dependencies: the system, or another list, has these.
 */
export const lockedLists: readonly { list: string; isAlone: boolean }[] = [
  ...ofHosts.map((list) => ({ list, isAlone: false })),
  { list: 'shared/environments/desktop/host/scoring/requirements.txt', isAlone: false },
  { list: 'shared/environments/desktop/host/scoring/desktop-env.txt', isAlone: true },
  { list: 'shared/environments/desktop/host/session/requirements.txt', isAlone: true },
  { list: 'containers/model-server/requirements.txt', isAlone: false },
  { list: 'containers/trainer/requirements.txt', isAlone: false },
  { list: 'containers/trainer/requirements-prm.txt', isAlone: true },
  { list: 'scripts/supply-chain/requirements.txt', isAlone: false },
]
