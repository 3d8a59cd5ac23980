// Runs the command of an npm script: `node scripts/with-packages.mjs [--pages] COMMAND`. First it installs missing
// packages, requires Node 24, and builds the dashboard for `--pages`. Each step looks `node` up in PATH, because the
// locked packages may have just brought a newer one.
import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const words = process.argv.slice(2)
const isWithPages = words[0] === '--pages'
if (isWithPages) words.shift()
for (const script of ['ensure-installed', 'require-node-24', ...(isWithPages ? ['ensure-web'] : [])]) {
  const { status } = spawnSync('node', [join(folder, `${script}.mjs`)], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

const [command, ...rest] = words
const child = spawn(command, rest, { stdio: 'inherit' })
// A terminal interrupts both processes; npm ends only this one.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.once('error', (error) => {
  console.error(`${command} could not be started: ${error.message}`)
  process.exit(1)
})
child.once('exit', (code, signal) => {
  if (signal === null) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
