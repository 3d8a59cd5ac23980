import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { CommandError } from '../command-error.ts'

const endings = /\.(zip|whl|tar|tar\.gz|tgz|tar\.xz|txz|tar\.bz2|tar\.zst)$/i

export function isArchive(path: string): boolean {
  return endings.test(path)
}

export function withoutEnding(name: string): string {
  return name.replace(endings, '')
}

/**
 * Unpacks an archive into a folder with the system's `unzip` or `tar`, which keep every file inside it.
 * @throws CommandError when the program is not installed or reports a damaged archive
 */
export async function unpackArchive(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  const path = resolve(archive)
  const isZip = /\.(zip|whl)$/i.test(path)
  const program = isZip ? 'unzip' : 'tar'
  // An empty password, so that an encrypted archive fails instead of prompting.
  const words = isZip
    ? ['-q', '-o', '-P', '', path, '-d', folder]
    : ['-x', '-f', path, '-C', folder, '--no-same-owner', '--no-same-permissions']
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], signal })
  const said = text(child.stderr)
  const [code] = await Promise.all([once(child, 'close'), said]).then(
    ([ended]) => ended as [number | null],
    (error: unknown) => {
      throw cannotRun(error, program, archive)
    },
  )
  // Exit code 1 of unzip is a warning, for example of a changed name that led outside.
  if (code === 0 || (isZip && code === 1)) return
  // The first line is the reason, after unzip's prefix with the archive's name.
  const reason = (await said)
    .split('\n')
    .find((line) => /^\s*[^[\s]/.test(line))
    ?.trim()
  throw new CommandError('not_unpacked', `${archive} cannot be unpacked: ${reason || `${program} failed`}`)
}

function cannotRun(error: unknown, program: string, archive: string): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return error
  return new CommandError(
    'not_unpacked',
    `To unpack ${archive}, "${program}" has to be installed. Install it, or unpack the archive and give its folder.`,
  )
}
