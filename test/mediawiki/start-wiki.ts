import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../shared/learn/serving/server-process.ts'

const run = promisify(execFile)
const program = '/usr/share/mediawiki'
const packages = ['mediawiki', 'php-cli', 'php-sqlite3']

/** The pages that the tasks are about, by title. */
const pages = {
  Birkvale: 'Birkvale is a town on the river Ard. Its [[walled garden]] is open in summer.',
  'Walled garden': 'The walled garden of Birkvale was laid out in 1871. It is known for its [[pear tree]]s.',
  'Pear tree': 'A pear tree is often trained along a wall.',
  Sandbox: 'Nothing has been written here yet.',
}

/** @throws Error with the line that installs what is missing */
async function installPackages(): Promise<void> {
  if (existsSync(join(program, 'index.php')) && existsSync('/usr/bin/php')) return
  const words = ['install', '--yes', '--no-install-recommends', ...packages]
  if (process.getuid?.() !== 0) throw new Error(`MediaWiki is not here. Run: sudo apt-get ${words.join(' ')}`)
  await run('apt-get', ['update'], { timeout: 300_000 })
  await run('apt-get', words, {
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

/**
 * Debian's MediaWiki with a few pages, over SQLite, behind PHP's own server with several workers. A session is a copy of its database:
 * what `sharing: {"kind": "sessions", "close": "/close"}` asks for.
 *
 * @param folder an empty one, for its database and its copies
 */
export async function startWiki(folder: string): Promise<{ address: string; stop(): Promise<void> }> {
  await installPackages()
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  const variables = {
    ...process.env,
    ESPALIER_WIKI: folder,
    MW_CONFIG_FILE: join(folder, 'LocalSettings.php'),
  }
  const maintain = (script: string, ...words: string[]) =>
    run('php', [join(program, 'maintenance', script), ...words], { timeout: 300_000, env: variables })
  const database = ['--dbtype', 'sqlite', '--dbpath', folder, '--dbname', 'wiki', '--confpath', folder]
  const { MW_CONFIG_FILE: _, ...withoutSettings } = variables
  await run(
    'php',
    [
      ...[join(program, 'maintenance/install.php'), ...database, '--server', address, '--scriptpath', ''],
      ...['--pass', 'a garden of 1871', 'Gardens', 'Keeper'],
    ],
    { timeout: 300_000, env: withoutSettings },
  )
  await appendFile(
    variables.MW_CONFIG_FILE,
    await readFile(join(import.meta.dirname, 'session-settings.php')),
  )
  for (const [title, text] of Object.entries(pages)) {
    const editing = maintain('edit.php', '--summary', 'First', title)
    editing.child.stdin?.end(text)
    await editing
  }
  await mkdir(join(folder, 'sessions'))
  await copyFile(join(import.meta.dirname, 'router.php'), join(folder, 'router.php'))
  const server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', program, join(folder, 'router.php')], {
    stdio: 'ignore',
    env: { ...variables, PHP_CLI_SERVER_WORKERS: '4' },
    // A group of its own: the workers are processes that it does not end by itself.
    detached: true,
  })
  const stop = async () => {
    if (server.pid === undefined || server.exitCode !== null) return
    process.kill(-server.pid, 'SIGTERM')
    await once(server, 'exit')
  }
  for (const begun = performance.now(); performance.now() - begun < 60_000; ) {
    const answer = await fetch(`${address}/close`, { method: 'POST', body: '{"session":"x"}' }).catch(
      () => null,
    )
    if (answer?.ok) return { address, stop }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error('PHP serves no MediaWiki within a minute.')
}
