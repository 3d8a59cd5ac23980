import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageFacts } from '../shared/environments/image-facts.ts'
import { images } from '../shared/environments/images.ts'
import { projectRoot } from './bundling.ts'

export function deployedImages(): ImageFacts[] {
  return images
    .filter(({ folder }) => existsSync(join(projectRoot, folder, 'Dockerfile')))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
