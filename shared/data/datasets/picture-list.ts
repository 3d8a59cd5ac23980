import type { DatasetFile } from '../../core/contracts/dataset.ts'
import { datasetFileSchema } from '../../core/contracts/dataset.ts'
import { objectKeys } from '../../core/engine/keys.ts'
import type { Objects } from '../../core/world/ports.ts'
import { readPictureFile } from '../formats/picture-names.ts'
import { readStoredLines } from './read-stored-lines.ts'

/** The file that lists the pictures beside the data, a line each: a manifest would be too large for them. */
export const pictureList = 'images.jsonl.gz'

type StoredFile = DatasetFile & { key: string }

const listedSchema = datasetFileSchema.pick({ name: true, bytes: true, sha256: true })

export async function listPictures(
  objects: Pick<Objects, 'get'>,
  files: readonly StoredFile[],
  count: number,
): Promise<StoredFile[]> {
  const list = files.find(({ name }) => name === pictureList)
  if (list === undefined) return []
  const lines = await readStoredLines(objects, list, { skip: 0, take: count })
  return lines.map((line) => {
    const { name, bytes, sha256 } = listedSchema.parse(JSON.parse(line))
    if (readPictureFile(name)?.sha256 !== sha256) throw new Error(`${pictureList} names "${name}".`)
    return { name, rows: null, bytes, sha256, key: objectKeys.blob(sha256) }
  })
}
