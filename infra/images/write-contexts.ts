// node infra/images/write-contexts.ts FOLDER [IMAGE …]: the folders from which Docker builds the images, one for each.
import { join } from 'node:path'
import { bundleFunction } from '../bundle-function.ts'
import { projectRoot } from '../bundling.ts'
import { findEndpointsFile } from '../endpoints-file.ts'
import { findEnvironmentsFile } from '../environments-file.ts'
import { copyDockerfile, writeTrainerContext } from './copied-contexts.ts'
import { imagePrograms, writeImageContext } from './image-context.ts'
import { writeImageSbom } from './image-sbom.ts'

const entry = join(projectRoot, 'functions/aws/worker/worker-process.ts')

// With the endpoints of the stage that ESPALIER_STAGE names.
async function writeWorkerContext(out: string): Promise<void> {
  const stage = process.env.ESPALIER_STAGE ?? 'dev'
  const endpoints = await findEndpointsFile(projectRoot, stage)
  const environments = await findEnvironmentsFile(projectRoot, stage)
  const inputs = await bundleFunction({ entry, out, files: { endpoints, environments } })
  copyDockerfile('containers/worker', out)
  writeImageSbom({ id: 'worker', inputs, context: out }, out)
}

const [folder, ...chosen] = process.argv.slice(2)
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
