import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import packageFile from '../../package.json' with { type: 'json' }
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { type FolderLock, lockFolder } from '../../shared/core/world/local/folder-lock.ts'
import { makeWithParents } from '../../shared/core/world/local/make-with-parents.ts'
import { failureCode, storageError } from '../../shared/core/world/local/storage-error.ts'
import { writeFileAtomically } from '../../shared/core/world/local/write-file-atomically.ts'

const manifestName = 'backup.json'
const listName = 'files.ndjson'
const lockNames = ['lock.db', 'lock.db-journal']

const count = z.int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const listedFileSchema = z.strictObject({ path: z.string().min(1), size: count, sha256 })
export type ListedFile = z.infer<typeof listedFileSchema>

const sealedBackupSchema = z.strictObject({
  format: z.literal('espalier-backup'),
  version: z.literal(1),
  world: z.enum(['local', 'postgres']),
  store: z.enum(['folder', 's3']),
  made_at: z.iso.datetime(),
  espalier: z.string(),
  objects: count,
  items: count,
  messages: count,
  damaged: z.array(z.string()),
  files: count,
  bytes: count,
  list_sha256: sha256,
  sha256,
})
export type SealedBackup = z.infer<typeof sealedBackupSchema>
export type BackupFacts = Pick<SealedBackup, 'world' | 'store' | 'objects' | 'items' | 'messages' | 'damaged'>

export type OnProgress = (line: string) => void

export interface UnfinishedBackup {
  readonly folder: string
  seal(facts: BackupFacts, onProgress: OnProgress): Promise<SealedBackup>
  release(): void
}

/**
 * Opens the folder of a backup until it is complete: `TARGET.partial`. It may have files of an interrupted backup.
 * @throws EspalierError `conflict`: the target exists, or another process writes it
 */
export async function beginBackup(target: string): Promise<UnfinishedBackup> {
  const [path, folder] = [resolve(target), `${resolve(target)}.partial`]
  if (await exists(path))
    throw conflict(`${path} exists. Name a new folder for the backup, or remove this one.`)
  let lock: FolderLock | null
  try {
    await makeWithParents(folder)
    lock = lockFolder(folder)
  } catch (error) {
    throw storageError(error, 'make the folder of the backup', folder)
  }
  if (lock === null) throw conflict(`Another process writes ${folder}. Wait for it, or name another folder.`)
  let held: FolderLock | null = lock
  const release = (): void => {
    held?.release()
    held = null
  }
  return {
    folder,
    release,
    async seal(facts, onProgress) {
      try {
        const sealed = await sealFolder(folder, path, facts, onProgress)
        release()
        await removeLock(path)
        return sealed
      } catch (error) {
        throw storageError(error, 'write', folder)
      }
    },
  }
}

async function sealFolder(
  folder: string,
  path: string,
  facts: BackupFacts,
  onProgress: OnProgress,
): Promise<SealedBackup> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => ![...lockNames, listName, manifestName].includes(name))
    .toSorted()
  const listed: ListedFile[] = []
  for (const name of found) {
    listed.push({ path: name, ...(await digestOf(join(folder, name))) })
    onProgress(`Read ${listed.length} of ${found.length} files again.`)
  }
  const list = listed.map((file) => `${JSON.stringify(file)}\n`).join('')
  await writeFileAtomically(join(folder, listName), list)
  const fields: Omit<SealedBackup, 'sha256'> = {
    format: 'espalier-backup',
    version: 1,
    ...facts,
    made_at: new Date().toISOString(),
    espalier: packageFile.version,
    files: listed.length,
    bytes: listed.reduce((sum, { size }) => sum + size, 0),
    list_sha256: hash('sha256', list),
  }
  const sealed = { ...fields, sha256: digestOfFields(fields) }
  await writeFileAtomically(join(folder, manifestName), `${JSON.stringify(sealed, null, 2)}\n`)
  for (const each of new Set(found.map((name) => dirname(join(folder, name))))) await syncFolder(each)
  await syncFolder(folder)
  await rename(folder, path)
  await syncFolder(dirname(path))
  return sealed
}

export async function removeLock(folder: string): Promise<void> {
  for (const name of lockNames) await rm(join(folder, name), { force: true })
}

export async function readBackup(folder: string): Promise<{ sealed: SealedBackup; files: ListedFile[] }> {
  const [manifest, list] = await Promise.all([
    readText(join(folder, manifestName)),
    readText(join(folder, listName)),
  ])
  if (folder.endsWith('.partial') || (manifest === null && (await exists(`${folder}.partial`))))
    throw refused(
      `${folder} is an unfinished backup. Run espalier backup with the same target again: it continues and completes it.`,
    )
  if (manifest === null || list === null)
    throw refused(`${folder} is no backup: it has no ${manifest === null ? manifestName : listName}.`)
  const parsed = sealedBackupSchema.safeParse(parseJson(manifest))
  if (!parsed.success) throw changed(folder, manifestName)
  const { data: sealed } = parsed
  if (digestOfFields(sealed) !== sealed.sha256) throw changed(folder, manifestName)
  if (hash('sha256', list) !== sealed.list_sha256) throw changed(folder, listName)
  const files = list
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [listedFileSchema.parse(JSON.parse(line))]))
  for (const { path } of files)
    if (relative(folder, join(folder, path)).startsWith('..')) throw changed(folder, listName)
  return { sealed, files }
}

export async function checkFiles(
  folder: string,
  files: readonly ListedFile[],
  onProgress: OnProgress,
): Promise<void> {
  for (const [at, { path, size, sha256: wanted }] of files.entries()) {
    const found = await digestOf(join(folder, path)).catch((error: unknown) => {
      if (failureCode(error) === 'ENOENT') throw refused(`${folder} lacks the file ${path}. ${otherBackup}`)
      throw storageError(error, 'read', join(folder, path))
    })
    if (found.size !== size || found.sha256 !== wanted) throw changed(folder, path)
    onProgress(`Verified ${at + 1} of ${files.length} files.`)
  }
}

const otherBackup = 'Copy it again from its source, or restore another backup; nothing was restored.'

function changed(folder: string, path: string): EspalierError {
  return refused(`The file ${path} of the backup ${folder} is not as it was written. ${otherBackup}`)
}

function digestOfFields({
  sha256: _,
  ...fields
}: Omit<SealedBackup, 'sha256'> & { sha256?: string }): string {
  const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted))
}

export function refused(message: string): EspalierError {
  return new EspalierError('invalid_request', message)
}

export function conflict(message: string): EspalierError {
  return new EspalierError('conflict', message)
}

async function digestOf(path: string): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256')
  const file = await open(path, 'r')
  try {
    await file.datasync()
    let size = 0
    for await (const part of createReadStream(path, { fd: file, autoClose: false })) {
      digest.update(part as Buffer)
      size += (part as Buffer).length
    }
    return { size, sha256: digest.digest('hex') }
  } finally {
    await file.close()
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return false
    throw storageError(error, 'look at', path)
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = failureCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw storageError(error, 'read', path)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
