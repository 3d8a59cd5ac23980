// node infra/images/write-contexts.ts FOLDER [IMAGE …]: the folders from which Docker builds the images, one for each.
import { join } from 'node:path'
import { writeTrainerContext } from './copied-contexts.ts'
import { imagePrograms, writeImageContext } from './image-context.ts'

const [folder, ...chosen] = process.argv.slice(2)
const images: Record<string, (out: string) => Promise<void> | void> = {
  ...Object.fromEntries(
    imagePrograms().map((image) => [image.id, (out: string) => writeImageContext(image, out)]),
  ),
  trainer: writeTrainerContext,
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
