import { mkdir, readdir } from 'node:fs/promises'
import {
  type Dataset,
  type DatasetRequestInput,
  datasetRequestSchema,
} from '../shared/core/contracts/dataset.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import { shardFileNames } from '../shared/data/datasets/build/shard.ts'
import { CommandError } from './command-error.ts'
import type { Connection } from './connect.ts'
import { datasetFolder } from './dataset-folder.ts'
import { downloadDataset, nameOnDisk } from './download-dataset.ts'

const shard = /-\d{5}\.(jsonl|json|parquet)(\.gz)?$/

interface FetchOptions {
  out?: string | undefined
  keepGzip?: boolean | undefined
}

export interface FetchedDataset {
  folder: string
  paths: string[]
  asked: Run | null
}

export async function fetchDataset(
  { client, folder: dataFolder }: Pick<Connection, 'client' | 'folder'>,
  dataset: Dataset,
  options: FetchOptions & { next?: string } = {},
): Promise<FetchedDataset> {
  const { next = `espalier export --dataset ${dataset.id} --out FOLDER` } = options
  const folder = options.out ?? datasetFolder(dataFolder, dataset.id)
  const { unpack } = await containerOf(client, dataset.request.format, options)
  await prepareFolder(
    folder,
    dataset.files.map(({ name }) => nameOnDisk(name, unpack)),
    next,
  )
  const paths = await downloadDataset(client, dataset.id, folder, { unpack })
  const asked = dataset.annotation_run === null ? null : await client.run(dataset.annotation_run)
  return { folder, paths, asked }
}

/**
 * Refuses rows in the output folder that no dataset of this request overwrites, before anything is built. The number
 * of files is not known yet.
 * @throws CommandError `folder_in_use`, `unwritable_folder`
 */
export async function checkOutput(
  client: Pick<Connection['client'], 'datasetFormats'>,
  request: Pick<DatasetRequestInput, 'format' | 'splits'>,
  options: FetchOptions,
): Promise<void> {
  const { out } = options
  if (out === undefined) return
  const format = request.format ?? datasetRequestSchema.shape.format.parse(undefined)
  const { container, unpack } = await containerOf(client, format, options)
  const extension = container === 'parquet' ? '.parquet' : `.${container}.gz`
  const splits = request.splits === undefined ? [undefined] : Object.keys(request.splits)
  const own = splits
    .flatMap((split) => Object.values(shardFileNames(split, 1, extension)))
    .map((name) => nameOnDisk(name, unpack))
  refuseOthers(
    out,
    (await entriesOf(out)).filter((name) => !own.includes(name.replace(/-\d{5}\./, '-00001.'))),
    'Nothing is built yet. Empty the folder, or name another.',
  )
}

async function containerOf(
  client: Pick<Connection['client'], 'datasetFormats'>,
  format: string,
  { keepGzip }: FetchOptions,
): Promise<{ container: string; unpack: boolean }> {
  const { container = 'jsonl', reads_gzip } =
    (await client.datasetFormats()).data.find(({ id }) => id === format) ?? {}
  return { container, unpack: reads_gzip === false && keepGzip !== true }
}

/**
 * Creates the folder for a downloaded dataset and refuses other rows in it: trainers read every file named like a
 * data file.
 * @param names - of the expected files
 * @param next - command that downloads the dataset into another folder
 * @throws CommandError if the folder cannot be created, or has files of another dataset
 */
export async function prepareFolder(folder: string, names: readonly string[], next: string): Promise<void> {
  await writable(folder, mkdir(folder, { recursive: true }))
  refuseOthers(
    folder,
    (await entriesOf(folder)).filter((name) => !names.includes(name)),
    `Empty the folder, or name another: ${next}`,
  )
}

function refuseOthers(folder: string, names: readonly string[], advice: string): void {
  const others = names.filter((name) => shard.test(name))
  const [first] = others
  if (first === undefined) return
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more like it`
  throw new CommandError(
    'folder_in_use',
    `${folder} holds ${first}${more}, which trainers would read too. ${advice}`,
  )
}

async function entriesOf(folder: string): Promise<string[]> {
  const names = readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return writable(folder, names)
}

async function writable<Result>(folder: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('unwritable_folder', `Nothing can be written to ${folder}: ${reason}`)
  }
}
