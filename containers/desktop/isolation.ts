import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { places } from './sandbox-command.ts'

const run = promisify(execFile)

let usable: Promise<boolean> | undefined

/** Whether bubblewrap makes namespaces here: some containers and systems forbid it. */
export function isBubblewrapUsable(): Promise<boolean> {
  usable ??= tryBubblewrap()
  return usable
}

async function tryBubblewrap(): Promise<boolean> {
  const words = [
    '--unshare-all',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--ro-bind',
    '/usr',
    '/usr',
    '--proc',
    '/proc',
  ]
  const links = ['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`])
  try {
    await run('bwrap', [...words, ...links, '--dev', '/dev', '--', '/usr/bin/true'], { timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

const taken = new Set<string>()

/**
 * Takes the home of this machine for a desktop that no namespace holds, and empties it.
 *
 * @param mark a file which says that the home is that of desktops, so that it may be emptied
 * @returns what empties it again, and gives it back
 * @throws EspalierError `host_full` where a desktop has it; `not_supported` where it has files that are not a desktop's
 */
export async function takeHome(
  home: string = places.home,
  mark = join(tmpdir(), 'espalier-desktop-home'),
): Promise<() => Promise<void>> {
  if (taken.has(home)) {
    throw new EspalierError(
      'host_full',
      'A desktop is open, and sessions cannot be kept apart here. Use bubblewrap where namespaces are allowed, or more hosts.',
    )
  }
  taken.add(home)
  try {
    await mkdir(home, { recursive: true })
    if (!existsSync(mark) && (await readdir(home)).length > 0) {
      throw new EspalierError(
        'not_supported',
        `${home} has files, which a desktop without isolation would remove. Use bubblewrap, or a container with an empty ${home}.`,
      )
    }
    await writeFile(mark, '')
    await emptyFolder(home)
  } catch (error) {
    taken.delete(home)
    throw error
  }
  return async () => {
    await emptyFolder(home)
    taken.delete(home)
  }
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}
