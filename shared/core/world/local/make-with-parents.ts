import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failureCode } from './storage-error.ts'

/** One folder after the other: Node's own `recursive` never returns if the system takes no folders, as in /proc. */
export async function makeWithParents(folder: string): Promise<void> {
  try {
    await makeOne(folder)
  } catch (error) {
    const parent = dirname(folder)
    if (failureCode(error) !== 'ENOENT' || parent === folder) throw error
    if (!(await exists(parent))) await makeWithParents(parent)
    // Another process may have made the parent meanwhile, so its presence alone says nothing.
    await makeOne(folder)
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (failureCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
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
