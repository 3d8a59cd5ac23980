import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const debian = '/usr/lib/postgresql'
const oldest = 15

export interface FoundPostgres {
  /** The folder of `initdb` and `postgres`. */
  programs: string
  /** The user that runs it, because it refuses root; null if this is another user. */
  user: { uid: number; gid: number } | null
}

/**
 * Finds PostgreSQL 15 or newer: in `ESPALIER_POSTGRES_BIN`, among Debian's packages, or by `pg_config`. As root it
 * installs Debian's package if there is none.
 *
 * @throws Error with the line that installs it
 */
export async function findPostgres(): Promise<FoundPostgres> {
  const found = (await findPrograms()) ?? (await install())
  return { programs: found, user: process.getuid?.() === 0 ? await otherUser() : null }
}

async function findPrograms(): Promise<string | null> {
  const { ESPALIER_POSTGRES_BIN: named } = process.env
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const configured = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  const folders = [
    named,
    ...versions
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(debian, version, 'bin')),
    configured,
  ]
  for (const folder of folders) {
    if (!folder || !existsSync(join(folder, 'initdb'))) continue
    const { stdout } = await run(join(folder, 'postgres'), ['--version'])
    if (Number(/\d+/.exec(stdout)?.[0]) >= oldest) return folder
  }
  return null
}

async function install(): Promise<string> {
  const words = ['install', '--yes', '--no-install-recommends', 'postgresql']
  const line = `apt-get ${words.join(' ')}`
  if (process.getuid?.() !== 0)
    throw new Error(`PostgreSQL ${oldest} or newer is not here. Run: sudo ${line}`)
  await run('apt-get', ['update'], { timeout: 300_000 })
  await run('apt-get', words, {
    timeout: 600_000,
    maxBuffer: 2 ** 28,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  const found = await findPrograms()
  if (found === null) throw new Error(`${line} brought no PostgreSQL ${oldest} or newer.`)
  return found
}

async function otherUser(): Promise<{ uid: number; gid: number }> {
  const idOf = async (flag: '-u' | '-g') => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}
