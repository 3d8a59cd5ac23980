import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cacheFolder, fillCacheFolder } from '../../../shared/core/programs/cache-folder.ts'

/**
 * Installs an emulator into the cache folder, under a digest of the files that lock its versions, unless it is there. The
 * files are copied into the folder first.
 *
 * @param lists paths of the files
 * @returns the folder
 */
export function installOnce(
  name: string,
  lists: string[],
  install: (folder: string) => Promise<void> | void,
): Promise<string> {
  const digest = createHash('sha256')
  for (const list of lists) digest.update(readFileSync(list))
  const folder = join(cacheFolder(), name, digest.digest('hex').slice(0, 16))
  return fillCacheFolder(folder, async (making) => {
    console.log(`Installing ${name} into ${folder} (once) …`)
    for (const list of lists) copyFileSync(list, join(making, basename(list)))
    await install(making)
  })
}

/** Installs what a folder's `package-lock.json` names, by the npm that runs this, without scripts. */
export function installPackages(folder: string): void {
  const [command, first] = process.env.npm_execpath
    ? [process.execPath, [process.env.npm_execpath]]
    : ['npm', []]
  const arguments_ = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  checkDone(spawnSync(command, arguments_, { cwd: folder, encoding: 'utf8' }), `npm ci in ${folder}`)
}

/** @throws an error with what the program printed, where it failed or could not be started */
export function checkDone({ status, error, stdout, stderr }: SpawnSyncReturns<string>, what: string): void {
  if (status === 0) return
  throw new Error(`${what} failed (${error?.message ?? `exit ${status}`}).\n${stdout}\n${stderr}`)
}

/** @throws an error that says what needs Java 17 where there is none */
export function requireJava(what: string): void {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const version = /version "(\d+)/.exec(java.stderr ?? '')?.[1]
  if (Number(version) >= 17) return
  const found = version === undefined ? 'there is no `java` here' : `this is Java ${version}`
  throw new Error(
    `${what} needs Java 17 or later, and ${found}. Install it (Debian: apt install default-jre-headless).`,
  )
}
