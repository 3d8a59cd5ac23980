// Runs before every npm script, on whatever Node the machine has: installs the locked packages when they are missing
// or older than the lockfile, so that one command is enough on a fresh clone.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.espalier-installed')
const lockfile = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockfile) {
  console.error('Installing the locked packages (npm ci) …')
  const [command, first] = process.env.npm_execpath
    ? [process.execPath, [process.env.npm_execpath]]
    : ['npm', []]
  const install = spawnSync(
    command,
    [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  )
  if (install.status !== 0) {
    console.error(
      `npm ci failed (exit ${install.status ?? install.signal ?? install.error?.message}). The lines above say why.`,
    )
    process.exit(install.status ?? 1)
  }
  writeFileSync(stamp, lockfile)
}
