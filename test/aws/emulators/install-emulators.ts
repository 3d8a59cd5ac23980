import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, makeOnce } from '../../../shared/python/cache-folder.ts'

const here = import.meta.dirname
const lists = ['package.json', 'package-lock.json', 'requirements.txt']

/** What to run, once it is installed. */
export interface Emulators {
  fauxqs: string
  dynoxide: string
  /** The Python that has moto. */
  python: string
  /** Variables that this Python needs. */
  python_environment: Record<string, string>
}

/**
 * Installs the emulators into the cache folder, under a digest of their locked versions, when they are missing. They are not
 * among the project's own packages: nothing but these tests needs them.
 */
export async function installEmulators(): Promise<Emulators> {
  const folder = await makeOnce(join(cacheFolder(), 'emulators', digestOf(lists)), async (making) => {
    console.log('Installing the emulators of AWS (once) …')
    for (const name of lists) copyFileSync(join(here, name), join(making, name))
    installPackages(making)
    installMoto(making)
  })
  const dynoxide = join(folder, 'node_modules/@dynoxide/linux-x64/dynoxide')
  if (!existsSync(dynoxide)) {
    throw new Error(
      `The DynamoDB emulator is there for Linux on x64 only; this is ${process.platform} on ${process.arch}. Run the tests there, or over an account with AWS_E2E=1.`,
    )
  }
  const venv = join(folder, 'venv/bin/python')
  return {
    fauxqs: join(folder, 'node_modules/fauxqs/dist/app.js'),
    dynoxide,
    python: existsSync(venv) ? venv : 'python3',
    python_environment: existsSync(venv) ? {} : { PYTHONPATH: join(folder, 'python') },
  }
}

function installPackages(folder: string): void {
  const [command, first] = process.env.npm_execpath
    ? [process.execPath, [process.env.npm_execpath]]
    : ['npm', []]
  const arguments_ = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  check(spawnSync(command, arguments_, { cwd: folder, encoding: 'utf8' }), 'npm ci of the emulators')
}

/** Into an environment of its own, or, where Python cannot make one, into a folder. */
function installMoto(folder: string): void {
  const python = spawnSync('python3', ['--version'], { encoding: 'utf8' })
  if (python.error || python.status !== 0) {
    throw new Error(
      'The emulator of S3 and ECS needs Python 3.10 or later, and there is no `python3` here. Install it (Debian: apt install python3 python3-venv) and run the tests again.',
    )
  }
  const venv = join(folder, 'venv')
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--requirement',
    'requirements.txt',
  ]
  if (spawnSync('python3', ['-m', 'venv', venv], { encoding: 'utf8' }).status === 0) {
    check(spawnSync(join(venv, 'bin/python'), pip, { cwd: folder, encoding: 'utf8' }), 'pip install of moto')
    return
  }
  rmSync(venv, { recursive: true, force: true })
  const installed = spawnSync('python3', [...pip, '--target', 'python'], { cwd: folder, encoding: 'utf8' })
  check(installed, 'pip install of moto (install python3-venv and python3-pip where they are missing)')
}

function check({ status, error, stdout, stderr }: SpawnSyncReturns<string>, what: string): void {
  if (status === 0) return
  throw new Error(`${what} failed (${error?.message ?? `exit ${status}`}).\n${stdout}\n${stderr}`)
}

function digestOf(names: string[]): string {
  const digest = createHash('sha256')
  for (const name of names) digest.update(readFileSync(join(here, name)))
  return digest.digest('hex').slice(0, 16)
}
