import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import { ApiError } from '../shared/core/client/api-error.ts'
import type { SignedFile } from '../shared/core/client/build-calls.ts'
import { pictureFolder, readPictureFile } from '../shared/data/formats/picture-names.ts'
import { CommandError } from './command-error.ts'
import { fillFolder } from './fill-folder.ts'

const picturesAtOnce = 8

/**
 * Downloads every file of a dataset through its signed address and checks each against its SHA-256. The files get
 * their names only once all are complete and checked.
 * @param options.unpack - decompresses data files, for trainers that cannot read gzip; the check covers the stored
 * file
 * @returns The paths, in the order of the dataset's files.
 */
export async function downloadDataset(
  client: Pick<ApiClient, 'datasetFiles' | 'download'>,
  dataset: string,
  folder: string,
  options: { unpack?: boolean } = {},
): Promise<string[]> {
  const files = await fillFolder(folder, (aside) => downloadInto(client, dataset, aside, options))
  return files.map((file) => join(folder, file))
}

async function downloadInto(
  client: Pick<ApiClient, 'datasetFiles' | 'download'>,
  dataset: string,
  folder: string,
  options: { unpack?: boolean },
): Promise<string[]> {
  const paths: string[] = []
  const fetchFile = fetchSigned(client, dataset)
  let pictures: SignedFile[] = []
  const downloadPictures = async () => {
    if (pictures.length === 0) return
    await mkdir(join(folder, pictureFolder), { recursive: true })
    paths.push(
      ...(await Promise.all(
        pictures.map((file) => downloadFile(fetchFile, file, { folder, unpack: false })),
      )),
    )
    pictures = []
  }
  for await (const file of allFiles(client, dataset)) {
    const unpack = options.unpack === true && isPacked(file.name)
    if (readPictureFile(file.name) === null)
      paths.push(await downloadFile(fetchFile, file, { folder, unpack }))
    else pictures.push(file)
    if (pictures.length === picturesAtOnce) await downloadPictures()
  }
  await downloadPictures()
  return paths
}

export function nameOnDisk(name: string, unpack: boolean): string {
  const own = basename(name)
  if (readPictureFile(name) !== null) return join(pictureFolder, own)
  return unpack && isPacked(name) ? own.replace(/\.gz$/, '') : own
}

function isPacked(name: string): boolean {
  return name.endsWith('.gz') && !name.startsWith('lineage-')
}

async function* allFiles(
  client: Pick<ApiClient, 'datasetFiles'>,
  dataset: string,
): AsyncGenerator<SignedFile> {
  let after: string | undefined
  for (;;) {
    const page = await client.datasetFiles(dataset, { limit: 1000, after })
    yield* page.data
    if (!page.has_more || page.last_id === null) return
    after = page.last_id
  }
}

type FetchFile = (file: SignedFile) => Promise<Response>

function fetchSigned(client: Pick<ApiClient, 'datasetFiles' | 'download'>, dataset: string): FetchFile {
  let renewed = new Map<string, string>()
  let renewal: Promise<void> | null = null
  async function renew() {
    const addresses = new Map<string, string>()
    for await (const { name, url } of allFiles(client, dataset)) addresses.set(name, url)
    renewed = addresses
  }
  const addressOf = (file: SignedFile) => renewed.get(file.name) ?? file.url
  return async (file) => {
    const address = addressOf(file)
    try {
      return await client.download(address)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error
      // The addresses have expired, which pictures in flight find out together.
      if (address === addressOf(file)) {
        renewal ??= renew().finally(() => {
          renewal = null
        })
        await renewal
      }
      return client.download(addressOf(file))
    }
  }
}

async function downloadFile(
  fetchFile: FetchFile,
  file: SignedFile,
  { folder, unpack }: { folder: string; unpack: boolean },
): Promise<string> {
  const name = nameOnDisk(file.name, unpack)
  const hash = createHash('sha256')
  const response = await fetchFile(file)
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
      unpack ? createGunzip() : new PassThrough(),
      createWriteStream(join(folder, name)),
    )
  } catch (error) {
    if (unpack && isNoGzip(error)) throw differs(file)
    throw error
  }
  if (hash.digest('hex') !== file.sha256) throw differs(file)
  return name
}

function isNoGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function differs(file: SignedFile): CommandError {
  return new CommandError(
    'digest_differs',
    `${file.name} is not what the dataset says it is: its SHA-256 differs. Download it again.`,
  )
}
