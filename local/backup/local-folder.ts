import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { type FolderLock, lockFolder } from '../../shared/core/world/local/folder-lock.ts'
import { makeWithParents } from '../../shared/core/world/local/make-with-parents.ts'
import { checkStorageVersion } from '../../shared/core/world/local/schema.ts'
import { failureCode, storageError } from '../../shared/core/world/local/storage-error.ts'
import { verifyStore } from '../../shared/core/world/local/verify-store.ts'
import { copyBodies, copyWhole } from './copy-bodies.ts'
import {
  type BackupFacts,
  conflict,
  exists,
  type ListedFile,
  type OnProgress,
  refused,
  removeLock,
  syncFolder,
} from './sealed-backup.ts'

const databaseName = 'espalier.db'
const ofProcess = /^(espalier\.db|transcripts\.db|lock\.db|service\.json)|\.partial$/
const pagesAtOnce = 2000

export async function backUpFolder(
  folder: string,
  target: string,
  onProgress: OnProgress,
): Promise<BackupFacts> {
  const path = join(folder, databaseName)
  if (!(await exists(path))) throw refused(`There is no data in ${folder}: name its folder with --folder.`)
  try {
    checkStorageVersion(path)
  } catch (error) {
    throw storageError(error, 'open', path)
  }
  const copy = join(target, databaseName)
  const live = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    const named = live.prepare('select 1 from objects where file = ?')
    await copyBodies({
      from: join(folder, 'bodies'),
      to: join(target, 'bodies'),
      onProgress,
      async snapshot() {
        await copyDatabase(path, copy, onProgress)
        return namedFiles(copy)
      },
      isStillNamed: async (file) => named.get(file) !== undefined,
    })
  } catch (error) {
    throw storageError(error, 'copy', path)
  } finally {
    live.close()
  }
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile() && !ofProcess.test(entry.name))
      await copyWhole(join(folder, entry.name), join(target, entry.name))
  const verified = await verifyStore(target, (done, total) =>
    onProgress(`Verified ${done} of ${total} rows.`),
  )
  const { objects, items, damage } = verified
  return {
    ...{ world: 'local', store: 'folder', objects, items, messages: countMessages(copy) },
    damaged: damage.map(({ kind, name }) => `${kind} ${name}`),
  }
}

/** An open read transaction fixes the moment: writes of the service neither change the copy nor start it again. */
async function copyDatabase(path: string, copy: string, onProgress: OnProgress): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${copy}${suffix}`, { force: true })
  const source = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    await backup(source, copy, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) =>
        onProgress(`Copied ${totalPages - remainingPages} of ${totalPages} pages of the database.`),
    })
  } finally {
    source.close()
  }
}

function namedFiles(path: string): Set<string> {
  const sqlite = new DatabaseSync(path)
  try {
    const rows = sqlite.prepare('select file from objects not indexed where file is not null').all()
    return new Set(rows.map(({ file }) => String(file)))
  } finally {
    sqlite.close()
  }
}

function countMessages(path: string): number {
  const sqlite = new DatabaseSync(path)
  try {
    return Number(sqlite.prepare('select count(*) as count from messages').get()?.count)
  } finally {
    sqlite.close()
  }
}

export async function restoreFolder(
  from: string,
  files: readonly ListedFile[],
  target: string,
  onProgress: OnProgress,
): Promise<void> {
  const folder = resolve(target)
  const staged = `${folder}.restoring`
  await demandEmpty(folder)
  let lock: FolderLock | null
  try {
    await makeWithParents(staged)
    lock = lockFolder(staged)
  } catch (error) {
    throw storageError(error, 'restore to', staged)
  }
  if (lock === null)
    throw conflict(`Another process restores ${folder}. Wait for it, or name another folder.`)
  try {
    // Those of a restore that was interrupted.
    for (const name of await readdir(staged))
      if (!name.startsWith('lock.db')) await rm(join(staged, name), { recursive: true })
    for (const [at, { path }] of files.entries()) {
      const to = join(staged, relative('data', path))
      await makeWithParents(dirname(to))
      if (!(await copyWhole(join(from, path), to))) throw refused(`The backup ${from} lost its file ${path}.`)
      onProgress(`Restored ${at + 1} of ${files.length} files.`)
    }
    await makeWithParents(join(staged, 'bodies'))
    await syncFolder(join(staged, 'bodies'))
    await syncFolder(staged)
    await rmdir(folder).catch((error: unknown) => {
      if (failureCode(error) !== 'ENOENT') throw error
    })
    await rename(staged, folder)
    lock.release()
    lock = null
    await removeLock(folder)
    await syncFolder(dirname(folder))
  } catch (error) {
    if (failureCode(error) === 'ENOTEMPTY') await demandEmpty(folder)
    throw storageError(error, 'restore to', folder)
  } finally {
    lock?.release()
  }
}

export async function demandEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (failureCode(error) === 'ENOENT') return []
    throw storageError(error, 'restore to', folder)
  })
  if (names.length > 0)
    throw conflict(
      `${folder} is not empty, and a backup is restored into an empty folder only. Name a new one with --folder, or move this one away.`,
    )
}
