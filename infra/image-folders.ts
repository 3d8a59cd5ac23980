import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './bundling.ts'

const otherImages = new Set(['sites', 'worker'])

export function imageFolders(): string[] {
  const containers = join(projectRoot, 'containers')
  if (!existsSync(containers)) return []
  return readdirSync(containers).filter(
    (name) => !otherImages.has(name) && existsSync(join(containers, name, 'Dockerfile')),
  )
}
