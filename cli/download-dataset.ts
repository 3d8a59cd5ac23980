import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ApiClient, SignedFile } from './api-client.ts'
import { CommandError } from './command-error.ts'

/**
 * Downloads every file of a dataset through its signed address and checks each against its SHA-256. A file has its name
 * only once it is whole and checked.
 *
 * @returns The paths, in the order of the dataset's files.
 */
export async function downloadDataset(
  client: Pick<ApiClient, 'datasetFiles' | 'download'>,
  dataset: string,
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const { data } = await client.datasetFiles(dataset)
  const paths: string[] = []
  for (const file of data) paths.push(await downloadFile(client, file, folder))
  return paths
}

async function downloadFile(
  client: Pick<ApiClient, 'download'>,
  file: SignedFile,
  folder: string,
): Promise<string> {
  // A name from the service is never a way out of the folder.
  const path = join(folder, basename(file.name))
  const partial = `${path}.partial`
  const hash = createHash('sha256')
  const response = await client.download(file.url)
  if (response.body === null) throw new CommandError('empty_download', `${file.name} came without content.`)
  try {
    await pipeline(
      Readable.fromWeb(response.body),
      async function* digest(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(partial),
    )
    if (hash.digest('hex') !== file.sha256) {
      throw new CommandError(
        'digest_differs',
        `${file.name} is not what the dataset says it is: its SHA-256 differs. Download it again.`,
      )
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return path
}
