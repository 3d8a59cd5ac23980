// node infra/images/write-contexts.ts FOLDER [IMAGE …]: the folders from which Docker builds the images, one for each.
import { existsSync, readdirSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { bundleFunction } from '../bundle-function.ts'
import { projectRoot } from '../bundling.ts'
import { deployedImages } from '../deployed-images.ts'
import { findEndpointsFile } from '../endpoints-file.ts'
import { findEnvironmentsFile } from '../environments-file.ts'
import { bundleImage } from './bundle-image.ts'
import { copyDockerfile, writeTrainerContext } from './copied-contexts.ts'
import { writeImageSbom } from './image-sbom.ts'

const entry = join(projectRoot, 'functions/aws/worker/worker-process.ts')

export interface ImageProgram {
  id: string
  folder: string
}

if (import.meta.main) await writeContexts(process.argv.slice(2))

async function writeContexts([folder, ...chosen]: string[]): Promise<void> {
  const images: Record<string, (out: string) => Promise<void> | void> = {
    ...Object.fromEntries(
      imagePrograms().map((image) => [image.id, (out: string) => writeImageContext(image, out)]),
    ),
    trainer: writeTrainerContext,
    worker: writeWorkerContext,
  }
  const unknown = chosen.find((id) => !Object.hasOwn(images, id))
  if (folder === undefined || unknown !== undefined) {
    console.error(
      `${unknown === undefined ? 'Name a folder' : `There is no image "${unknown}"`}: node infra/images/write-contexts.ts FOLDER [IMAGE …], of ${Object.keys(images).join(', ')}`,
    )
    process.exitCode = 1
  } else {
    for (const [id, write] of Object.entries(images)) {
      if (chosen.length > 0 && !chosen.includes(id)) continue
      await write(join(folder, id))
      console.log(join(folder, id))
    }
  }
}

// With the endpoints of the stage that ESPALIER_STAGE names.
async function writeWorkerContext(out: string): Promise<void> {
  const stage = process.env.ESPALIER_STAGE ?? 'dev'
  const endpoints = await findEndpointsFile(projectRoot, stage)
  const environments = await findEnvironmentsFile(projectRoot, stage)
  const inputs = await bundleFunction({ entry, out, files: { endpoints, environments } })
  copyDockerfile('containers/worker', out)
  writeImageSbom({ id: 'worker', inputs, context: out }, out)
}

function imagePrograms(): ImageProgram[] {
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
