// Runs the command of an npm script: `node scripts/with-packages.mjs [--to-run] [--pages] [COMMAND]`. First it installs
// missing packages (for `--to-run` only those that a run needs), requires Node 24, and builds the dashboard for
// `--pages`. Each step looks `node` up in PATH, because the locked packages may have just brought a newer one. Without a
// command it ends there: a script that must be the process itself goes on with `exec env node`, because a shell
// remembers the earlier `node`.
import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const words = process.argv.slice(2)
const flags = new Set()
while (words[0]?.startsWith('--')) flags.add(words.shift())
const steps = [
  ['ensure-installed', ...(flags.has('--to-run') ? ['--to-run'] : [])],
  ['require-node-24'],
  ...(flags.has('--pages') ? [['ensure-web']] : []),
]
for (const [script, ...options] of steps) {
  const { status } = spawnSync('node', [join(folder, `${script}.mjs`), ...options], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(status ?? 1)
}
if (words.length > 0) run()

function run() {
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
}
