import { existsSync, readdirSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { projectRoot } from '../bundling.ts'
import { deployedImages } from '../deployed-images.ts'
import { bundleImage } from './bundle-image.ts'
import { copyDockerfile } from './copied-contexts.ts'
import { writeImageSbom } from './image-sbom.ts'

export interface ImageProgram {
  id: string
  folder: string
}

export function imagePrograms(): ImageProgram[] {
  const deployed: ImageProgram[] = deployedImages()
  const others = readdirSync(join(projectRoot, 'containers'))
    .map((id) => ({ id, folder: `containers/${id}` }))
    .filter(({ id, folder }) =>
      ['Dockerfile', `${id}.ts`].every((name) => existsSync(join(projectRoot, folder, name))),
    )
    .filter(({ id }) => !deployed.some((image) => image.id === id))
  return [...deployed, ...others]
}

/**
 * Writes everything from which an image is built: its Dockerfile, and `app` with its program in one bundle and the
 * files that the program reads. Docker reads this folder and nothing of the repository.
 */
export async function writeImageContext({ id, folder }: ImageProgram, out: string): Promise<void> {
  const app = join(out, 'app')
  const { inputs, modules, packages } = await bundleImage(`${folder}/${id}.ts`, app)
  const containers = modules.flatMap((path) => /^containers\/[^/]+/.exec(path)?.[0] ?? [])
  for (const path of new Set([folder, ...containers])) {
    await cp(join(projectRoot, path), join(app, path), { recursive: true, filter: isReadByPrograms })
  }
  for (const name of packages) {
    const path = join('node_modules', name)
    await cp(join(projectRoot, path), join(app, path), { recursive: true })
  }
  copyDockerfile(folder, out)
  const copied = packages.map((name) => `node_modules/${name}/package.json`)
  writeImageSbom({ id, inputs: [...inputs, ...copied], context: out }, app)
}

function isReadByPrograms(path: string): boolean {
  const name = basename(path)
  return !/\.(?:ts|md)$|^Dockerfile|^drawings$|^__pycache__$/.test(name)
}
