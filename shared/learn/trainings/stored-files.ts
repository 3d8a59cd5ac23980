import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Objects } from '../../core/world/ports.ts'

/** Bytes of a part: weights have gigabytes, and an object is read and written whole. */
const partBytes = 32 * 1024 * 1024

export const storedFileSchema = z.object({
  name: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  parts: z.array(z.string()),
})

export type StoredFile = z.infer<typeof storedFileSchema>

const partKey = (prefix: string, sha256: string) => `${prefix}/parts/${sha256}`

/** Stores a folder's files in parts named by their digests. Existing parts are not stored again. */
export async function storeFiles(
  objects: Pick<Objects, 'put' | 'head'>,
  prefix: string,
  folder: string,
  names: readonly string[],
): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  for (const name of names.toSorted()) {
    const parts: string[] = []
    const whole = createHash('sha256')
    let bytes = 0
    const file = await open(join(folder, name))
    try {
      for (;;) {
        const part = Buffer.alloc(partBytes)
        const { bytesRead } = await file.read(part, 0, partBytes, bytes)
        if (bytesRead === 0) break
        const body = part.subarray(0, bytesRead)
        const sha256 = createHash('sha256').update(body).digest('hex')
        whole.update(body)
        const key = partKey(prefix, sha256)
        if ((await objects.head(key)) === null) await objects.put(key, body)
        parts.push(sha256)
        bytes += bytesRead
      }
    } finally {
      await file.close()
    }
    stored.push({ name, bytes, sha256: whole.digest('hex'), parts })
  }
  return stored
}

/**
 * Writes stored files to a folder.
 * @throws EspalierError `storage_failed` if a part is missing or does not match its digest
 */
export async function restoreFiles(
  objects: Pick<Objects, 'get'>,
  prefix: string,
  files: readonly StoredFile[],
  folder: string,
): Promise<void> {
  for (const { name, parts } of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'w')
    try {
      for (const sha256 of parts) {
        const object = await objects.get(partKey(prefix, sha256))
        const found = object === null ? null : createHash('sha256').update(object.body).digest('hex')
        if (object === null || found !== sha256) {
          throw new EspalierError('storage_failed', `A part of ${name} is missing or damaged in the store.`)
        }
        await file.write(object.body)
      }
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

export async function removeOtherParts(
  objects: Pick<Objects, 'list' | 'delete'>,
  prefix: string,
  kept: readonly StoredFile[],
): Promise<void> {
  const needed = new Set(kept.flatMap(({ parts }) => parts.map((part) => partKey(prefix, part))))
  let after: string | undefined
  for (;;) {
    const page = await objects.list(`${prefix}/parts/`, after === undefined ? {} : { after })
    for (const { key } of page.objects) if (!needed.has(key)) await objects.delete(key)
    after = page.objects.at(-1)?.key
    if (!page.more || after === undefined) return
  }
}
