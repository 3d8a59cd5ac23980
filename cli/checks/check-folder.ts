import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatBytes } from '../../shared/core/client/format-quantity.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { checkStorageVersion } from '../../shared/core/world/local/schema.ts'
import { type Check, fail, ok, warn } from './check.ts'

const comfortable = 2e9
const least = 100e6

export async function checkFolder(folder: string): Promise<Check> {
  const action = 'Choose another with --folder, or change its owner or mode.'
  try {
    const existing = await nearestExisting(folder)
    if (existing !== folder) {
      await access(existing, constants.W_OK)
      return ok('data folder', `${folder} does not exist yet and can be made.`)
    }
    if (!(await stat(folder)).isDirectory()) return fail('data folder', `${folder} is not a folder.`, action)
    const probe = join(folder, `.doctor-${randomUUID()}`)
    await writeFile(probe, 'x')
    await rm(probe)
    checkStorageVersion(join(folder, 'espalier.db'))
    return ok('data folder', `${folder} can be written.`)
  } catch (error) {
    if (EspalierError.isInstance(error))
      return fail('data folder', error.message, 'Choose another with --folder.')
    return fail('data folder', `${folder} cannot be written (${codeOf(error)}).`, action)
  }
}

export async function checkDisk(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(await nearestExisting(folder))
  const free = bavail * bsize
  const message = `${formatBytes(free)} free`
  const action = 'Free some space, or choose a --folder on another disk.'
  if (free < least) return fail('disk', message, action)
  return free < comfortable ? warn('disk', message, action) : ok('disk', message)
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    return nearestExisting(dirname(path))
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
