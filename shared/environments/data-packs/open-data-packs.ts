import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { didYouMean } from '../../core/contracts/validation/nearest-name.ts'
import { pagesOf } from '../../core/world/pages-of.ts'
import type { World } from '../../core/world/ports.ts'
import type { DataPack, PackFile } from '../data-pack.ts'
import type { DataPacks } from '../open-environments.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

const atOnce = 16

const manifestSchema = z.object({
  environment: z.string(),
  files: z.array(z.object({ path: z.string(), sha256: z.string(), size: z.int() })),
})

type Manifest = z.infer<typeof manifestSchema>

export interface DataPackRow {
  environment: string
  digest: string
  name: string
  files: number
  size: number
  added_at: string
}

export interface DataPackStore extends DataPacks {
  list(environment?: string): Promise<DataPackRow[]>
  /**
   * Stores a pack. The same content is the same pack, under its new name, and becomes the latest one.
   * @param onFile called with each file as it is stored
   */
  add(
    pack: { environment: string; name: string },
    files: AsyncIterable<PackFile>,
    onFile?: (file: { path: string; size: number }) => void,
  ): Promise<DataPackRow>
  /**
   * Removes a pack from the list. Its files stay, because runs may name it.
   * @throws EspalierError `not_found`
   */
  remove(environment: string, digest: string): Promise<void>
}

const keys = {
  list: 'data-packs',
  row: (environment: string, digest: string) => ({
    partition: 'data-packs',
    sort: `${environment}/${digest}`,
  }),
  manifest: (environment: string, digest: string) => `packs/${environment}/${digest}/manifest.json`,
  file: (environment: string, sha256: string) => `packs/${environment}/files/${sha256}`,
}

export function openDataPacks({
  objects,
  ledger,
  clock,
}: Pick<World, 'objects' | 'ledger' | 'clock'>): DataPackStore {
  async function list(environment?: string): Promise<DataPackRow[]> {
    const rows: DataPackRow[] = []
    for await (const items of pagesOf(ledger, keys.list)) {
      rows.push(...items.map(({ item }) => item as unknown as DataPackRow))
    }
    return rows
      .filter((row) => environment === undefined || row.environment === environment)
      .sort((one, other) => other.added_at.localeCompare(one.added_at))
  }

  return {
    list,
    open: (environment, digest) => openPack({ objects, ledger }, environment, digest),
    async add({ environment, name }, files, onFile) {
      const entries = await storeFiles(objects, environment, files, onFile)
      const manifest = Buffer.from(JSON.stringify({ environment, files: entries } satisfies Manifest))
      const digest = sha256Of(manifest).slice(0, 32)
      await objects.put(keys.manifest(environment, digest), manifest, { content_type: 'application/json' })
      const row: DataPackRow = {
        environment,
        digest,
        name,
        files: entries.length,
        size: entries.reduce((sum, { size }) => sum + size, 0),
        added_at: new Date(clock.now()).toISOString(),
      }
      await ledger.update({ key: keys.row(environment, digest), set: { ...row } })
      return row
    },
    async remove(environment, digest) {
      const { ok } = await ledger.update({
        key: keys.row(environment, digest),
        delete: true,
        if: [{ is: 'present' }],
      })
      if (ok) return
      const names = (await list(environment)).flatMap((row) => [row.name, row.digest])
      throw notFound(
        `There is no data pack ${digest} of ${environment}.${didYouMean(digest, names)} espalier data list shows what there is.`,
      )
    },
  }
}

async function storeFiles(
  objects: World['objects'],
  environment: string,
  files: AsyncIterable<PackFile>,
  onFile?: (file: { path: string; size: number }) => void,
): Promise<Manifest['files']> {
  const entries: Manifest['files'] = []
  let batch: PackFile[] = []
  const flush = async () => {
    for (const entry of await Promise.all(batch.map((file) => storeFile(objects, environment, file)))) {
      entries.push(entry)
      onFile?.(entry)
    }
    batch = []
  }
  for await (const file of files) {
    batch.push(file)
    if (batch.length >= atOnce) await flush()
  }
  await flush()
  return entries.sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function storeFile(
  objects: World['objects'],
  environment: string,
  { path, body }: PackFile,
): Promise<Manifest['files'][number]> {
  const sha256 = sha256Of(body)
  const key = keys.file(environment, sha256)
  const stored = await objects.get(key)
  if (stored === null || !(await holds(stored.body, sha256))) {
    await objects.put(key, await compress(body), { content_type: 'application/gzip' })
  }
  return { path, sha256, size: body.byteLength }
}

/** @throws EspalierError `not_found`, or `storage_failed` for damage */
async function openPack(
  { objects, ledger }: Pick<World, 'objects' | 'ledger'>,
  environment: string,
  digest: string,
): Promise<DataPack> {
  const found = await objects.get(keys.manifest(environment, digest))
  if (found === null) throw notFound(`There is no data pack ${digest} of ${environment}.`)
  const manifest = readManifest(found.body, `${digest} of ${environment}`)
  const byPath = new Map(manifest.files.map((file) => [file.path, file]))
  const row = (await ledger.get(keys.row(environment, digest))) as DataPackRow | null
  return {
    digest,
    name: row?.name ?? digest,
    files: [...byPath.keys()].sort(),
    async read(path) {
      const file = byPath.get(path)
      const stored = file && (await objects.get(keys.file(environment, file.sha256)))
      if (!stored) throw notFound(`The data pack ${digest} of ${environment} has no file ${path}.`)
      const what = `${path} of the data pack ${digest} of ${environment}`
      const body = await decompress(stored.body).catch((error: unknown) => {
        throw damaged(what, error)
      })
      if (sha256Of(body) === file.sha256) return body
      throw damaged(what)
    },
  }
}

function notFound(message: string): EspalierError {
  return new EspalierError('not_found', message, { param: 'data' })
}

function readManifest(body: Uint8Array, what: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(Buffer.from(body).toString('utf8')))
  } catch (error) {
    throw damaged(`The list of files of the data pack ${what}`, error)
  }
}

/** Returns true if a stored body has the right content, so that adding a pack again repairs it. */
async function holds(body: Uint8Array, sha256: string): Promise<boolean> {
  const content = await decompress(body).catch(() => null)
  return content !== null && sha256Of(content) === sha256
}

function damaged(what: string, cause?: unknown): EspalierError {
  return new EspalierError('storage_failed', `${what} is damaged in the storage. Add the pack again.`, {
    cause,
  })
}

function sha256Of(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}
