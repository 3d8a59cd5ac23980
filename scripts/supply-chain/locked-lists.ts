import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageList } from '../../shared/environments/image-facts.ts'
import { images } from '../../shared/environments/images.ts'

const root = join(import.meta.dirname, '../..')
const ofHosts = images.flatMap(({ folder, lists = [{ list: 'requirements.txt', isAlone: false }] }) =>
  lists.map(({ list, isAlone }) => ({ list: `${folder}/${list}`, isAlone })),
)

export const lockedLists: readonly PackageList[] = [
  ...ofHosts.filter(({ list }) => existsSync(join(root, list))),
  { list: 'containers/model-server/requirements.txt', isAlone: false },
  { list: 'containers/trainer/requirements.txt', isAlone: false },
  { list: 'containers/trainer/requirements-prm.txt', isAlone: true },
  { list: 'scripts/supply-chain/requirements.txt', isAlone: false },
]
