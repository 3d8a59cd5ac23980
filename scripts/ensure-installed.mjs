// Runs before every npm script, on whatever Node the machine has: installs the locked packages when they are missing
// or older than the lockfile, so that one command is enough on a fresh clone. Of several scripts that are started at once, one
// installs and the others wait for it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.espalier-installed')
/** Beside `node_modules`, which `npm ci` removes. */
const lock = join(root, '.espalier-installing')
const owner = join(lock, 'pid')
/** Milliseconds after which a lock says nothing any more, and those between two looks at it. */
const longestInstall = 15 * 60_000
const pause = 300
const lockfile = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

if (!isInstalled()) {
  takeLock()
  let status = 0
  try {
    if (!isInstalled()) status = install()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  process.exitCode = status
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile
}

/** Returns once this process alone may install. */
function takeLock() {
  for (let isSaid = false; ; ) {
    try {
      mkdirSync(lock)
      writeFileSync(owner, String(process.pid))
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned()) {
      rmSync(lock, { recursive: true, force: true })
      continue
    }
    if (!isSaid) console.error('Waiting for another script, which installs the locked packages …')
    isSaid = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
}

/** Whether the process that made the lock has gone without removing it. */
function isAbandoned() {
  try {
    const age = Date.now() - statSync(lock).mtimeMs
    if (age > longestInstall) return true
    // It is made before its file is.
    if (!existsSync(owner)) return age > 10_000
    process.kill(Number(readFileSync(owner, 'utf8')), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Returns an exit code. */
function install() {
  console.error('Installing the locked packages (npm ci) …')
  const [command, first] = process.env.npm_execpath
    ? [process.execPath, [process.env.npm_execpath]]
    : ['npm', []]
  const made = spawnSync(
    command,
    [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  )
  if (made.status !== 0) {
    console.error(
      `npm ci failed (exit ${made.status ?? made.signal ?? made.error?.message}). The lines above say why.`,
    )
    return made.status ?? 1
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, lockfile)
  return 0
}
