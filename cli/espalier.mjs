#!/usr/bin/env node
// The installed command. It is read by whatever Node the machine has, from any folder, so its syntax is that of Node 16;
// the program itself is TypeScript, which Node 24 runs. An older Node starts the Node 24 that the packages bring along.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = join(dirname(fileURLToPath(import.meta.url)), 'espalier.ts')
const [major] = process.versions.node.split('.').map(Number)

if (major >= 24) {
  await import('./espalier.ts')
} else {
  const node = findNode24()
  if (node === null) {
    console.error(
      `Espalier needs Node 24 or later; this is Node ${process.versions.node} on ${process.platform}-${process.arch}.\n` +
        `On linux-x64 and linux-arm64 \`npm ci\` in ${dirname(dirname(entry))} brings Node 24 along. ` +
        'On other platforms install it from https://nodejs.org and run the command again.',
    )
    process.exit(1)
  }
  startWith(node)
}

/** The Node 24 of the optional dependency beside this file, or null. */
function findNode24() {
  const name = `node-${process.platform}-${process.arch}`
  try {
    const found = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node')
    return existsSync(found) ? found : null
  } catch {
    return null
  }
}

/** Runs the command there as if it were this process: its input, output, signals and exit code. */
function startWith(node) {
  const child = spawn(node, ['--max-semi-space-size=64', entry, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => {
    console.error(
      `Could not start Node 24 from ${node}: ${error.message}. Install Node 24 from https://nodejs.org.`,
    )
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
