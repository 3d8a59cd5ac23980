import { type Dataset, type DatasetFile, datasetFileSchema } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { objectKeys } from '../../core/engine/keys.ts'
import { toLabels, withLabels } from '../../core/engine/labels/labels.ts'
import type { Objects } from '../../core/world/ports.ts'
import { readPictureFile } from '../formats/picture-names.ts'
import { datasetKey } from './build/shard.ts'
import { packFile } from './gzip-lines.ts'
import { missingFile } from './missing-file.ts'
import { readStoredLines } from './read-stored-lines.ts'
import { readStoredDataset } from './stored-dataset.ts'

export class BuiltDatasets {
  readonly #objects: Objects
  readonly #read: (id: string) => Promise<Dataset>

  constructor(objects: Objects, read: (id: string) => Promise<Dataset>) {
    this.#objects = objects
    this.#read = read
  }

  /** Only the manifest lists the files of a finished dataset: there may be more than a ledger item can hold. */
  async complete(dataset: Dataset): Promise<Dataset> {
    if (dataset.status !== 'succeeded') return dataset
    return withLabels((await this.#manifestOf(dataset.id)).manifest, toLabels(dataset))
  }

  async read(id: string): Promise<{ dataset: Dataset; files: (DatasetFile & { key: string })[] }> {
    await this.#checkBuilt(id)
    const { manifest, file, key } = await this.#manifestOf(id)
    const files = manifest.files.map((each) => ({ ...each, key: datasetKey(id, each.name) }))
    return { dataset: manifest, files: [...files, { ...file, key }] }
  }

  /**
   * The pictures stored beside the data.
   *
   * @throws EspalierError `invalid_state` until the dataset has succeeded
   */
  async pictures(id: string): Promise<(DatasetFile & { key: string })[]> {
    const { dataset, files } = await this.read(id)
    return listPictures(this.#objects, files, dataset.pictures?.files ?? 0)
  }

  async readme(id: string): Promise<string> {
    await this.#checkBuilt(id)
    return Buffer.from(await this.#bodyOf(datasetKey(id, 'README.md'))).toString('utf8')
  }

  async #manifestOf(id: string): Promise<{ manifest: Dataset; file: DatasetFile; key: string }> {
    const name = 'manifest.json'
    const key = datasetKey(id, name)
    const body = await this.#bodyOf(key)
    const { bytes, sha256 } = packFile(body)
    const stored = jsonObjectSchema.parse(JSON.parse(Buffer.from(body).toString('utf8')))
    return { manifest: readStoredDataset(stored), file: { name, rows: null, bytes, sha256 }, key }
  }

  async #bodyOf(key: string): Promise<Uint8Array> {
    const object = await this.#objects.get(key)
    if (object === null) throw missingFile(key)
    return object.body
  }

  async #checkBuilt(id: string): Promise<void> {
    const dataset = await this.#read(id)
    if (dataset.status !== 'succeeded') throw notBuilt(dataset)
  }
}

function notBuilt(dataset: Dataset): EspalierError {
  const message =
    dataset.status === 'failed'
      ? `The dataset failed and has no files: ${dataset.error}`
      : `The dataset is ${dataset.status}. Its files can be had once its status is "succeeded".`
  return new EspalierError('invalid_state', message, { param: 'dataset' })
}

/** The file that lists the pictures beside the data, a line each: a manifest would be too large for them. */
export const pictureList = 'images.jsonl.gz'

type StoredFile = DatasetFile & { key: string }

const listedSchema = datasetFileSchema.pick({ name: true, bytes: true, sha256: true })

async function listPictures(
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
