import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../contracts/errors.ts'
import { BodyFiles } from '../local/body-files.ts'
import { makeWithParents } from '../local/make-with-parents.ts'
import { failureCode, storageError } from '../local/storage-error.ts'

/**
 * Opens the folder of large bodies that all machines of a world share. Its mark must be that of the world, so that a
 * machine that forgot to mount the folder is refused.
 * @param world the id of the world
 * @param isNew true while no process has used a folder for the world
 * @throws EspalierError `storage_failed`: another folder, or a file system without exclusive creation
 */
export async function openSharedFolder(folder: string, world: string, isNew: boolean): Promise<BodyFiles> {
  const bodies = join(folder, 'bodies')
  const mark = join(folder, 'world')
  try {
    await makeWithParents(bodies)
    await checkCreation(folder)
    if (isNew) await createMark(mark, world)
    const found = await readFile(mark, 'utf8').catch(() => null)
    if (found?.trim() !== world) throw otherFolder(folder, found !== null)
  } catch (error) {
    throw storageError(error, 'use the shared folder', folder)
  }
  return new BodyFiles(bodies)
}

/** Creates one file twice and renames it: the second creation must fail, and the body must be there after both. */
async function checkCreation(folder: string): Promise<void> {
  const name = join(folder, `check-${randomUUID()}`)
  const moved = `${name}-moved`
  try {
    const file = await open(name, 'wx')
    await file.writeFile(name)
    await file.sync()
    await file.close()
    const second = await open(name, 'wx').catch((error: unknown) => failureCode(error))
    if (second !== 'EEXIST') {
      if (second !== null && typeof second === 'object') await second.close()
      throw unfit(folder, 'it creates a file that exists')
    }
    await rename(name, moved)
    if ((await readFile(moved, 'utf8')) !== name) throw unfit(folder, 'a renamed file has another body')
  } finally {
    await rm(name, { force: true })
    await rm(moved, { force: true })
  }
}

/** Links a written file, so that no machine that starts at the same time finds the mark without its text. */
async function createMark(mark: string, world: string): Promise<void> {
  const written = `${mark}-${randomUUID()}`
  try {
    await writeFile(written, `${world}\n`)
    await link(written, mark).catch(ignoreExisting)
  } finally {
    await rm(written, { force: true })
  }
}

function ignoreExisting(error: unknown): void {
  if (failureCode(error) !== 'EEXIST') throw error
}

function unfit(folder: string, why: string): EspalierError {
  return new EspalierError(
    'storage_failed',
    `The folder ${folder} cannot hold a world's bodies: ${why}. Use NFS 4, Lustre, BeeGFS or a local disk, or an S3-compatible store with --objects s3://bucket.`,
  )
}

function otherFolder(folder: string, isMarked: boolean): EspalierError {
  const why = isMarked ? 'belongs to another world' : 'is not the one that this world began with'
  return new EspalierError(
    'storage_failed',
    `The folder ${folder} ${why}. Mount the shared folder at this path, or name its path with --objects.`,
  )
}
