// Runs before every npm script, on any Node: installs the locked packages if they are missing or older than the
// lockfile, so that one command suffices on a fresh clone. Of several concurrent scripts, one installs and the others
// wait. `--to-run` installs only the packages that run the service and build the dashboard. The first script that
// needs all of them adds the others.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.espalier-installed')
const lock = join(root, '.espalier-installing')
const owner = join(lock, 'pid')
/** Milliseconds after which a lock is stale, and between two checks of it. */
const longestInstall = 15 * 60_000
const pause = 300
const tellEvery = 5000
const lockText = readFileSync(join(root, 'package-lock.json'))
const all = createHash('sha256').update(lockText).digest('hex')
const toRun = `${all} to run`
const isToRun = process.argv.includes('--to-run')
/** Large packages whose users get advice if they are missing: `shared/core/programs/load-optional.ts`. */
const optional = ['@aws-sdk/client-sagemaker', '@azure/identity']
const dashboard = [
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  '@vitejs/plugin-react',
  'd3-hierarchy',
  'd3-scale',
  'd3-selection',
  'd3-shape',
  'd3-zoom',
  'highlight.js',
  'lucide-react',
  'markdown-it',
  'react',
  'react-dom',
  'react-router',
  'vite',
]

if (!isInstalled()) {
  takeLock()
  let status = 0
  try {
    if (!isInstalled()) status = await install()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  process.exitCode = status
}

function isInstalled() {
  const installed = readStamp()
  if (installed === all || (isToRun && installed === toRun)) return true
  if (!isInstalledByNpm()) return false
  writeFileSync(stamp, all)
  return true
}

function isInstalledByNpm() {
  const path = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(path)) return false
  const { packages: installed = {} } = JSON.parse(readFileSync(path, 'utf8'))
  return Object.entries(JSON.parse(lockText).packages).every(([place, wanted]) => {
    if (place === '' || wanted.link) return true
    const found = installed[place]
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true
    return found.version === wanted.version && found.integrity === wanted.integrity
  })
}

function readStamp() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null
}

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

function isAbandoned() {
  try {
    const age = Date.now() - statSync(lock).mtimeMs
    if (age > longestInstall) return true
    // The folder is created before its file.
    if (!existsSync(owner)) return age > 10_000
    process.kill(Number(readFileSync(owner, 'utf8')), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

async function install() {
  const before = readStamp()
  // Packages of an earlier lockfile are replaced as a whole.
  const isSmall = isToRun && !existsSync(dirname(stamp))
  const isRest = before === toRun
  console.error(`Installing the locked packages${isSmall ? ' that a run needs' : ''} (npm) …`)
  const folder = isSmall ? prepareSmall() : root
  const stopTelling = tellProgress(folder)
  const words = isSmall ? ['ci', '--omit=dev'] : isRest ? ['install', '--no-save'] : ['ci']
  const ended = await runNpm(folder, words)
  stopTelling()
  if (ended !== 0) {
    console.error(`npm ${words.join(' ')} failed (exit ${ended}). The lines above say why.`)
    return typeof ended === 'number' ? ended : 1
  }
  if (isSmall) {
    removeSourceMaps(join(folder, 'node_modules'))
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    renameSync(join(folder, 'node_modules'), dirname(stamp))
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, isSmall ? toRun : all)
  return 0
}

/** Writes a project with the same lockfile and fewer packages. npm takes their versions from the lockfile. */
function prepareSmall() {
  const folder = join(lock, 'small')
  const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, dependencies = {}, devDependencies = {}, optionalDependencies = {} } = whole
  const needed = { ...dependencies }
  for (const each of dashboard) if (each in devDependencies) needed[each] = devDependencies[each]
  for (const each of optional) delete needed[each]
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version, dependencies: needed, optionalDependencies }),
  )
  writeFileSync(join(folder, 'package-lock.json'), lockText)
  return folder
}

/** Frees a tenth of the packages' space: no run reads the source maps of packages. */
function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeSourceMaps(path)
    else if (/\.(?:js|mjs|cjs|ts|mts|cts|css)\.map$/.test(entry.name)) rmSync(path)
  }
}

function runNpm(cwd, words) {
  const [command, first] = process.env.npm_execpath
    ? [process.execPath, [process.env.npm_execpath]]
    : ['npm', []]
  return new Promise((resolve) => {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const child = spawn(command, [...first, ...words, ...flags], { cwd, stdio: ['ignore', 2, 2] })
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === null ? signal : code))
  })
}

/** Prints the number of installed packages every few seconds. Returns a function that ends it with the total. */
function tellProgress(folder) {
  const paths = Object.keys(JSON.parse(lockText).packages)
  const start = Date.now()
  const seconds = () => Math.round((Date.now() - start) / 1000)
  const count = () =>
    paths.filter((path) => path !== '' && existsSync(join(folder, path, 'package.json'))).length
  const timer = setInterval(() => console.error(`  ${count()} packages after ${seconds()} s`), tellEvery)
  return () => {
    clearInterval(timer)
    console.error(`  ${count()} packages in ${seconds()} s`)
  }
}
