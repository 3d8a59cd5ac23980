// Runs before every npm script that serves or deploys the dashboard: builds web/dist when it is missing or older than
// its sources. `--always` builds it in any case. The build is written beside its target and then moved, so that a
// serving process keeps the earlier one except during the move, and concurrent builds do no harm.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'web', 'dist')
const stampName = '.stamp'
/** Shared modules that pages import: texts, shapes and computations. */
const sharedParts = ['core', 'data', 'insight', 'play'].map((wing) => `shared/${wing}`)
const sources = ['web', 'docs', 'examples', ...sharedParts, 'package-lock.json', 'scripts/ensure-web.mjs']
const packed = new Set(['.html', '.js', '.css', '.svg'])
const smallest = 256

const wanted = digestOf(sources)
if (process.argv.includes('--always') || stampOf(dist) !== wanted) build()

function build() {
  console.error('Building the dashboard (web/dist) …')
  const fresh = join(root, 'node_modules', `.espalier-web-${process.pid}`)
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const words = ['build', 'web', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  // Tests set another environment, which React would take for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  const made = spawnSync(process.execPath, [vite, ...words], { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (made.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    console.error(
      `The dashboard could not be built (exit ${made.status ?? made.signal ?? made.error?.message}). The lines above say why.`,
    )
    process.exit(made.status ?? 1)
  }
  for (const path of filesOf(fresh)) pack(path)
  writeFileSync(join(fresh, stampName), wanted)
  put(fresh)
}

function pack(path) {
  const body = readFileSync(path)
  if (!packed.has(extname(path)) || body.length < smallest) return
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  )
  writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }))
}

function put(fresh) {
  const old = `${fresh}-old`
  for (let tries = 1; ; tries += 1) {
    try {
      if (existsSync(dist)) renameSync(dist, old)
      renameSync(fresh, dist)
      rmSync(old, { recursive: true, force: true })
      return
    } catch (error) {
      // Another build moved the same folder in between.
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code) || tries === 5) throw error
      rmSync(old, { recursive: true, force: true })
    }
  }
}

function stampOf(folder) {
  const path = join(folder, stampName)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function digestOf(names) {
  const digest = createHash('sha256')
  for (const name of names) {
    const path = join(root, name)
    for (const file of extname(name) === '' ? filesOf(path) : [path]) {
      digest.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
    }
  }
  return digest.digest('hex')
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && join(folder, name) !== dist)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesOf(path) : [path]
    })
}
