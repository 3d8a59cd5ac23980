import { mkdir, readdir } from 'node:fs/promises'
import type { Dataset } from '../shared/core/contracts/dataset.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import { CommandError } from './command-error.ts'
import type { Connection } from './connect.ts'
import { datasetFolder } from './dataset-folder.ts'
import { downloadDataset, nameOnDisk } from './download-dataset.ts'

const shard = /-\d{5}\.(jsonl|json|parquet)(\.gz)?$/

export interface FetchedDataset {
  folder: string
  paths: string[]
  asked: Run | null
}

export async function fetchDataset(
  { client, folder: dataFolder }: Pick<Connection, 'client' | 'folder'>,
  dataset: Dataset,
  options: { out?: string | undefined; keepGzip?: boolean | undefined } = {},
): Promise<FetchedDataset> {
  const folder = options.out ?? datasetFolder(dataFolder, dataset.id)
  const format = (await client.datasetFormats()).data.find(({ id }) => id === dataset.request.format)
  const unpack = format?.reads_gzip === false && options.keepGzip !== true
  await prepareFolder(
    folder,
    dataset.files.map(({ name }) => nameOnDisk(name, unpack)),
  )
  const paths = await downloadDataset(client, dataset.id, folder, { unpack })
  const asked = dataset.annotation_run === null ? null : await client.run(dataset.annotation_run)
  return { folder, paths, asked }
}

/**
 * Creates the folder for a downloaded dataset and refuses other rows in it: trainers read every file named like a
 * data file.
 * @param names - of the expected files
 * @throws CommandError if the folder cannot be created, or has files of another dataset
 */
export async function prepareFolder(folder: string, names: readonly string[]): Promise<void> {
  const others = (await entriesOf(folder)).filter((name) => shard.test(name) && !names.includes(name))
  const [first] = others
  if (first === undefined) return
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more like it`
  throw new CommandError(
    'folder_in_use',
    `${folder} holds ${first}${more}, which trainers would read too. Empty the folder, or name another: espalier export --dataset DATASET --out FOLDER`,
  )
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true })
    return await readdir(folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('unwritable_folder', `Nothing can be written to ${folder}: ${reason}`)
  }
}
