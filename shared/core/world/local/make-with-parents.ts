import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failureCode } from './storage-error.ts'

/** One folder after the other: Node's own `recursive` never returns if the system takes no folders, as in /proc. */
export async function makeWithParents(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (failureCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return
    const parent = dirname(folder)
    if (failureCode(error) !== 'ENOENT' || parent === folder || (await exists(parent))) throw error
    await makeWithParents(parent)
    // Another process may have created it meanwhile. Its parent exists, so this ends.
    await makeWithParents(folder)
  }
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder)
    return true
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return false
    throw error
  }
}
