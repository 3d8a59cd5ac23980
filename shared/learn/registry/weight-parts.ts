import { createHash, type Hash, hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { ModelFile } from '../../core/contracts/registered-model.ts'
import type { Objects } from '../../core/world/ports.ts'

/** Bytes of a part, except the last of a file: the memory used while a file is read or written. */
const partBytes = 64 * 1024 * 1024

/** The key of a part. Parts belong to a tenant, so that a digest alone opens no other tenant's bytes. */
export const partKey = (tenant: string, sha256: string) => `weights/${tenant}/${sha256}`

export async function storePart(
  objects: Objects,
  tenant: string,
  sha256: string,
  body: Uint8Array,
): Promise<void> {
  const key = partKey(tenant, sha256)
  const stored = await objects.head(key)
  if (stored?.size !== body.byteLength) await objects.put(key, body)
}

/**
 * Cuts a file into parts and stores them.
 * @param size - bytes of a part
 * @throws EspalierError `invalid_request` for a file that cannot be read
 */
export async function storeFile(
  objects: Objects,
  tenant: string,
  { name, path }: { name: string; path: string },
  size = partBytes,
): Promise<ModelFile> {
  const file = await openFile(path)
  try {
    const whole = createHash('sha256')
    const parts: ModelFile['parts'] = []
    const buffer = Buffer.allocUnsafe(Math.min(size, Math.max(1, (await file.stat()).size)))
    for (;;) {
      const bytes = await fill(file, buffer)
      if (bytes === 0) break
      // Copy, because the store may keep the passed buffer.
      const body = Buffer.from(buffer.subarray(0, bytes))
      const sha256 = hash('sha256', body, 'hex')
      whole.update(body)
      await storePart(objects, tenant, sha256, body)
      parts.push({ sha256, bytes })
    }
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    return { name, bytes, sha256: whole.digest('hex'), parts }
  } finally {
    await file.close()
  }
}

/**
 * Reads a small file of a model.
 * @throws EspalierError `storage_failed` for a missing or changed part
 */
export async function readStoredFile(objects: Objects, tenant: string, file: ModelFile): Promise<Buffer> {
  const parts: Buffer[] = []
  for (const part of file.parts) parts.push(await readPart(objects, tenant, file.name, part))
  return Buffer.concat(parts)
}

interface PartSource {
  get(key: string): Promise<{ body: Uint8Array } | null>
}

/**
 * Writes a file of a model into a folder, unless a correct copy exists. It gets its name when it is complete and its
 * digest is right.
 * @throws EspalierError `storage_failed`
 */
export async function writeStoredFile(
  objects: PartSource,
  tenant: string,
  file: ModelFile,
  folder: string,
): Promise<void> {
  const path = join(folder, basename(file.name))
  if (await isComplete(path, file)) return
  const making = `${path}.making-${process.pid}-${Date.now()}`
  try {
    await mkdir(folder, { recursive: true })
    const target = await open(making, 'w')
    const whole = createHash('sha256')
    try {
      for (const part of file.parts) {
        const body = await readPart(objects, tenant, file.name, part)
        whole.update(body)
        await target.writeFile(body)
      }
      await target.sync()
    } finally {
      await target.close()
    }
    if (whole.digest('hex') !== file.sha256) throw changed(file.name)
    await rename(making, path)
  } catch (error) {
    await rm(making, { force: true })
    if (EspalierError.isInstance(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new EspalierError('storage_failed', `${path} could not be written: ${why}`, { cause: error })
  }
}

async function readPart(
  objects: PartSource,
  tenant: string,
  name: string,
  { sha256, bytes }: ModelFile['parts'][number],
): Promise<Buffer> {
  const object = await objects.get(partKey(tenant, sha256))
  if (object === null) {
    throw new EspalierError('storage_failed', `A part of ${name} is missing: ${sha256} (${bytes} bytes).`)
  }
  const body = Buffer.from(object.body)
  if (body.byteLength !== bytes || hash('sha256', body, 'hex') !== sha256) throw changed(name)
  return body
}

async function isComplete(path: string, { bytes, sha256 }: ModelFile): Promise<boolean> {
  const there = await stat(path).catch(() => null)
  if (there === null || there.size !== bytes) return false
  const file = await open(path)
  const whole: Hash = createHash('sha256')
  try {
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 })) {
      whole.update(chunk as Buffer)
    }
  } finally {
    await file.close()
  }
  return whole.digest('hex') === sha256
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new EspalierError('invalid_request', `${path} cannot be read (${code}).`, {
      param: 'files',
      cause: error,
    })
  }
}

async function fill(file: FileHandle, buffer: Buffer): Promise<number> {
  let filled = 0
  while (filled < buffer.byteLength) {
    const { bytesRead } = await file.read(buffer, filled, buffer.byteLength - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

function changed(name: string): EspalierError {
  return new EspalierError(
    'storage_failed',
    `The stored bytes of ${name} are not those that were registered. Register the model again from its files.`,
  )
}
