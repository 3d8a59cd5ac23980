#!/usr/bin/env node
// The installed command. Any Node on the machine may run it, from any folder, so it uses the syntax of Node 16. The
// program itself needs Node 24: an older Node starts the Node 24 in the package's dependencies.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'cli', 'espalier.ts')
const built = join(root, 'dist', 'cli', 'espalier.js')
const isPackage = !existsSync(source) && existsSync(built)
const entry = isPackage ? built : source
const [major] = process.versions.node.split('.').map(Number)

if (major >= 24) {
  // Maps stack traces to the sources of the package.
  if (isPackage) process.setSourceMapsEnabled(true)
  await import(pathToFileURL(entry).href)
} else {
  const node = findNode24()
  if (node === null) {
    const bringing = isPackage ? '`npm install` with optional packages' : `\`npm ci\` in ${root}`
    console.error(
      `Espalier needs Node 24 or later; this is Node ${process.versions.node} on ${process.platform}-${process.arch}.\n` +
        `On linux-x64 and linux-arm64 ${bringing} brings Node 24 along. ` +
        'On other platforms install it from https://nodejs.org and run the command again.',
    )
    process.exit(1)
  }
  startWith(node)
}

function findNode24() {
  const name = `node-${process.platform}-${process.arch}`
  try {
    const found = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node')
    return existsSync(found) ? found : null
  } catch {
    return null
  }
}

function startWith(node) {
  const child = spawn(
    node,
    ['--enable-source-maps', '--max-semi-space-size=64', entry, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  )
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
