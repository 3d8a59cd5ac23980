import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { sandboxPaths } from './sandbox-command.ts'
import { removeFolder } from './session-folders.ts'

const run = promisify(execFile)

export type DesktopIsolation = 'bubblewrap' | 'none'

const isolationSchema = z.enum(['bubblewrap', 'none', 'auto']).default('bubblewrap')
let isUsable = false

/**
 * Chooses the isolation from `ESPALIER_DESKTOP_ISOLATION`. The default is bubblewrap, since without it agents' code
 * runs as the user of this process. `auto`, the image's setting, uses bubblewrap if it works, and else `none`.
 * @throws EspalierError `not_supported` if bubblewrap is required and creates no namespaces
 */
export async function chooseIsolation(variables: NodeJS.ProcessEnv): Promise<DesktopIsolation> {
  const parsed = isolationSchema.safeParse(variables.ESPALIER_DESKTOP_ISOLATION)
  if (!parsed.success) {
    throw new EspalierError(
      'invalid_request',
      'ESPALIER_DESKTOP_ISOLATION must be bubblewrap, auto or none.',
      { param: 'ESPALIER_DESKTOP_ISOLATION' },
    )
  }
  if (parsed.data === 'none') return 'none'
  // Retry after a failure: the machine may have been busy.
  isUsable ||= await tryBubblewrap()
  if (isUsable) return 'bubblewrap'
  if (parsed.data === 'auto') return 'none'
  throw new EspalierError(
    'not_supported',
    'bubblewrap makes no namespaces here, and without it code of agents would run as you. Allow unprivileged user namespaces; or, in a container that holds nothing else, set ESPALIER_DESKTOP_ISOLATION=none.',
  )
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
    await run('bwrap', [...words, ...links, '--dev', '/dev', '--', '/usr/bin/true'], { timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

const taken = new Set<string>()

/**
 * Takes this machine's home for a desktop without a namespace, and empties it.
 * @param mark a file that marks the home as a desktop's, so that it may be emptied
 * @returns a function that empties and releases it
 * @throws EspalierError `host_full` if a desktop uses it; `not_supported` if it has files that are not a desktop's
 */
export async function takeHome(
  home: string = sandboxPaths.home,
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
    try {
      await emptyFolder(home)
    } finally {
      taken.delete(home)
    }
  }
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await removeFolder(join(folder, name))
}
