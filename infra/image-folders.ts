import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './bundling.ts'

/** Images that are no hosts of environments: sites to practise on, and long-lived workers. */
const otherImages = new Set(['sites', 'worker'])

/** The programs that hosts run: the folders of containers/ that say how they are built, but for those that are no hosts. */
export function imageFolders(): string[] {
  const containers = join(projectRoot, 'containers')
  if (!existsSync(containers)) return []
  return readdirSync(containers).filter(
    (name) => !otherImages.has(name) && existsSync(join(containers, name, 'Dockerfile')),
  )
}
