import { copyFile, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeWithParents } from '../../shared/core/world/local/make-with-parents.ts'
import { failureCode, storageError } from '../../shared/core/world/local/storage-error.ts'
import { conflict, type OnProgress } from './sealed-backup.ts'

const unfinished = '.partial'
const mostRounds = 10

export interface BodySource {
  from: string
  to: string
  snapshot(): Promise<ReadonlySet<string>>
  isStillNamed(file: string): Promise<boolean>
  onProgress: OnProgress
}

/**
 * Copies the bodies of a world that is in use, with a snapshot of its ledger. A body never changes, and its name is
 * never used again. So a copy made before the snapshot or after it is the body of the snapshot. If the world removes a
 * body between both, the next round takes a new snapshot.
 */
export async function copyBodies({
  from,
  to,
  snapshot,
  isStillNamed,
  onProgress,
}: BodySource): Promise<void> {
  await makeWithParents(to)
  const has = new Set<string>()
  for (const name of await namesIn(to)) {
    if (name.endsWith(unfinished)) await rm(join(to, name))
    else has.add(name)
  }
  const copy = async (name: string): Promise<boolean> => {
    if (has.has(name)) return true
    if (!(await copyWhole(join(from, name), join(to, name)))) return false
    has.add(name)
    onProgress(`Copied ${has.size} large bodies.`)
    return true
  }
  for (let round = 1; round <= mostRounds; round += 1) {
    for (const name of await namesIn(from)) if (!name.endsWith(unfinished)) await copy(name)
    const named = await snapshot()
    let removed = 0
    for (const name of named) if (!(await copy(name)) && !(await isStillNamed(name))) removed += 1
    if (removed > 0) continue
    for (const name of has) if (!named.has(name)) await rm(join(to, name))
    return
  }
  throw conflict(
    `The world removed bodies in each of ${mostRounds} rounds of the backup. Run it again when fewer runs, datasets and models are removed.`,
  )
}

export async function copyWhole(from: string, to: string): Promise<boolean> {
  const partial = `${to}${unfinished}`
  try {
    await copyFile(from, partial)
    const file = await open(partial, 'r')
    try {
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(partial, to)
    return true
  } catch (error) {
    await rm(partial, { force: true })
    if (failureCode(error) === 'ENOENT') return false
    throw storageError(error, 'copy', from)
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return []
    throw storageError(error, 'list', folder)
  }
}
