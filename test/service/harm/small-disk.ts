import { execFile } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished, vi } from 'vitest'
import { lentFolder, temporaryFolder } from '../../support/temporary-folder.ts'

const run = promisify(execFile)

/** A disk of the current test, of so many bytes, in memory. */
export interface SmallDisk {
  path: string
  /** Leaves so many bytes free. */
  fill(free: number): Promise<void>
  empty(): Promise<void>
  /** Refuses, or takes again, every write to the disk. Waits until killed processes have no file of it open for writing. */
  setReadOnly(isReadOnly: boolean): Promise<void>
}

/** The reason why this machine mounts no disk for a test; null if it does. */
export async function whyNoDisk(): Promise<string | null> {
  const { folder, remove } = await lentFolder()
  try {
    await mount(folder, 1024 * 1024)
    await run('umount', [folder])
    return null
  } catch (error) {
    return `Mounting a disk needs root and the right to mount: ${(error as Error).message.trim()}`
  } finally {
    await remove()
  }
}

export async function smallDisk(bytes: number): Promise<SmallDisk> {
  const path = await temporaryFolder()
  await mount(path, bytes)
  onTestFinished(async () => {
    await run('umount', ['--lazy', path])
  })
  const filler = join(path, 'filler')
  return {
    path,
    async fill(free) {
      const { bavail, bsize } = await statfs(path)
      // The service writes meanwhile: the disk may be full before the filler is whole.
      await writeFile(filler, new Uint8Array(Math.max(0, bavail * bsize - free))).catch((error: Error) => {
        if (!/ENOSPC/.test(error.message)) throw error
      })
    },
    empty: () => rm(filler, { force: true }),
    async setReadOnly(isReadOnly) {
      const remount = () => run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path])
      await vi.waitFor(remount, { timeout: 60_000, interval: 100 })
    },
  }
}

/** Makes one folder of a disk read-only for processes that open files in it from now on. @returns its end */
export async function freezeFolder(folder: string): Promise<() => Promise<void>> {
  await run('mount', ['--bind', folder, folder])
  await run('mount', ['-o', 'remount,ro,bind', folder])
  const thaw = async () => void (await run('umount', ['--lazy', folder]))
  return thaw
}

async function mount(path: string, bytes: number): Promise<void> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'espalier-test', path])
}
