import type { Dataset } from '../shared/core/contracts/dataset.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import type { Connection } from './connect.ts'
import { datasetFolder } from './dataset-folder.ts'
import { downloadDataset, nameOnDisk } from './download-dataset.ts'
import { prepareFolder } from './prepare-folder.ts'

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
