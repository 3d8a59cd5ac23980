import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './bundling.ts'

/** The programs that hosts run: the folders of containers/ that say how they are built. */
export function imageFolders(): string[] {
  const containers = join(projectRoot, 'containers')
  if (!existsSync(containers)) return []
  return readdirSync(containers).filter((name) => existsSync(join(containers, name, 'Dockerfile')))
}
