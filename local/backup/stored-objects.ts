import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isDamage } from '../../shared/core/world/damage-book.ts'
import { makeWithParents } from '../../shared/core/world/local/make-with-parents.ts'
import { writeFileAtomically } from '../../shared/core/world/local/write-file-atomically.ts'
import type { ObjectInfo, Objects } from '../../shared/core/world/ports.ts'
import { readBackupLines } from './read-backup-lines.ts'
import { conflict, type OnProgress } from './sealed-backup.ts'

const listName = 'stored.ndjson'
const concurrent = 8

const storedSchema = z.strictObject({
  key: z.string(),
  content_type: z.string().nullable(),
  file: z.string(),
})
type Stored = z.infer<typeof storedSchema>

/**
 * Copies all objects of a bucket, before the snapshot of the ledger and again after it. The copy has every object of
 * the snapshot, and may have newer ones: as after a crash between an object's write and the ledger's. An object that
 * was removed meanwhile stays in the copy.
 * @returns the keys of damaged objects
 */
export async function copyStored(
  objects: Objects,
  folder: string,
  snapshot: () => Promise<void>,
  onProgress: OnProgress,
): Promise<{ count: number; damaged: string[] }> {
  const bodies = join(folder, 'stored')
  await makeWithParents(bodies)
  const has = new Set((await readdir(bodies)).filter((name) => !name.endsWith('.partial')))
  const found = new Map<string, Stored>()
  const damaged = new Set<string>()
  const copyAll = async () => {
    for (let after: string | undefined, more = true; more; ) {
      const page = await objects.list('', after === undefined ? {} : { after })
      await inTurns(page.objects, (info) => copyOne(info))
      more = page.more
      after = page.objects.at(-1)?.key
    }
  }
  const copyOne = async ({ key, etag }: ObjectInfo) => {
    const name = hash('sha256', `${key}\n${etag}`)
    if (found.get(key)?.file === name) return
    const body = await objects.get(key).catch((error: unknown) => {
      if (!isDamage(error)) throw error
      damaged.add(key)
      return null
    })
    if (body === null) return
    if (!has.has(name)) await writeFileAtomically(join(bodies, name), body.body)
    has.add(name)
    found.set(key, { key, content_type: body.content_type, file: name })
    onProgress(`Copied ${found.size} objects.`)
  }
  await copyAll()
  await snapshot()
  await copyAll()
  const lines = [...found.values()].map((stored) => `${JSON.stringify(stored)}\n`)
  await writeFileAtomically(join(folder, listName), lines.join(''))
  return { count: found.size, damaged: [...damaged] }
}

export async function restoreStored(objects: Objects, folder: string, onProgress: OnProgress): Promise<void> {
  const stored = new Map<string, Stored>()
  for await (const line of readBackupLines(createReadStream(join(folder, listName)))) {
    const one = storedSchema.parse(JSON.parse(line))
    stored.set(one.key, one)
  }
  for (let after: string | undefined, more = true; more; ) {
    const page = await objects.list('', after === undefined ? {} : { after })
    for (const { key } of page.objects) if (!stored.has(key)) throw notEmpty(key)
    more = page.more
    after = page.objects.at(-1)?.key
  }
  let done = 0
  await inTurns([...stored.values()], async ({ content_type, file, key }) => {
    const body = await readFile(join(folder, 'stored', file))
    const { written } = await objects.put(key, body, {
      if_none_match: '*',
      ...(content_type !== null && { content_type }),
    })
    if (!written && !isSame(body, (await objects.get(key))?.body)) throw notEmpty(key)
    done += 1
    onProgress(`Restored ${done} of ${stored.size} objects.`)
  })
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(one, other) === 0
}

function notEmpty(key: string): Error {
  return conflict(
    `The bucket has an object "${key}" that is not of this backup, and a backup is restored into an empty bucket only. Name another with --objects.`,
  )
}

async function inTurns<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: concurrent }, work))
}
