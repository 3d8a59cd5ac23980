import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { EspalierError } from '../contracts/errors.ts'
import { cacheFolder, fillCacheFolder } from './cache-folder.ts'
import { installedBy } from './locked-list.ts'
import { installerVariables, programVariables } from './program-variables.ts'
import { pythonCure } from './python-cure.ts'

const run = promisify(execFile)

export interface PythonEnvironment {
  python: string
  /** A folder for `PYTHONPATH` with packages that conflict with the environment's own; null: none. */
  beside: string | null
  isInstalled: boolean
}

export interface WantedEnvironment {
  requirements: string
  besideRequirements?: string
  /**
   * The environment sees the packages of its Python, for example Debian's, which include the dependencies of its
   * requirements. Only the listed packages are installed.
   */
  onSystemPackages?: boolean
  /**
   * An index with another build of PyTorch, such as one without CUDA. If it has no answer, the build of the package
   * index is installed.
   */
  torchIndex?: string
  variables: NodeJS.ProcessEnv
}

/**
 * Finds the environment under a digest of the requirements and of Python's version, so that equal requests share it.
 * @throws EspalierError `not_supported` if there is no Python
 */
export async function findPythonEnvironment(wanted: WantedEnvironment): Promise<PythonEnvironment> {
  const { requirements, besideRequirements, onSystemPackages = false, variables } = wanted
  const list = await readFile(requirements)
  const version = await versionOf(variables.ESPALIER_PYTHON ?? 'python3', variables)
  const hash = createHash('sha256').update(list).update(version)
  if (onSystemPackages) hash.update('on system packages')
  const digest = hash.digest('hex').slice(0, 16)
  const folder = join(cacheFolder(variables), 'python', digest)
  const python = join(folder, 'bin/python')
  const beside =
    besideRequirements === undefined ? null : join(folder, 'beside', await digestOf(besideRequirements))
  return { python, beside, isInstalled: existsSync(python) && (beside === null || existsSync(beside)) }
}

/**
 * Installs the environment from the package index unless it exists.
 * @param onLine - called with the installer's output
 * @param signal - ends the installer without leaving a partial environment
 * @throws EspalierError `not_supported` if there is no Python; `internal` with the installer's last lines; the
 * signal's reason when it aborts
 */
export async function installPythonEnvironment(
  wanted: WantedEnvironment,
  onLine: (line: string) => void,
  signal?: AbortSignal,
): Promise<PythonEnvironment> {
  const { requirements, besideRequirements, onSystemPackages = false, torchIndex, variables } = wanted
  const { python, beside } = await findPythonEnvironment(wanted)
  const folder = join(python, '../..')
  const watched = { onLine, signal }
  await fillCacheFolder(folder, async (making) => {
    const system = onSystemPackages ? ['--system-site-packages'] : []
    await spawnLogged(variables.ESPALIER_PYTHON ?? 'python3', ['-m', 'venv', ...system, making], watched)
    const alone = onSystemPackages ? ['--no-deps'] : []
    const own = join(making, 'bin/python')
    const hasTorch = torchIndex !== undefined && (await installTorch(own, requirements, torchIndex, watched))
    const listed = hasTorch ? ['-r', requirements] : await installedBy(requirements)
    await spawnLogged(own, pip(...alone, ...listed), watched)
  })
  if (beside !== null && besideRequirements !== undefined) {
    const list = await installedBy(besideRequirements)
    await fillCacheFolder(beside, (making) =>
      spawnLogged(python, pip('--no-deps', '--target', making, ...list), watched),
    )
  }
  return { python, beside, isInstalled: true }
}

async function installTorch(
  python: string,
  requirements: string,
  index: string,
  watched: { onLine: (line: string) => void; signal: AbortSignal | undefined },
): Promise<boolean> {
  const torch = /^torch==\S+/m.exec(await readFile(requirements, 'utf8'))?.[0]
  if (torch === undefined) return false
  const once = ['--retries', '1', '--timeout', '15']
  try {
    await spawnLogged(python, pip(...once, '--index-url', index, torch), watched)
    return true
  } catch (error) {
    watched.signal?.throwIfAborted()
    watched.onLine(`${index} has no ${torch} for this machine: the build of the package index is installed.`)
    if (EspalierError.isInstance(error)) return false
    throw error
  }
}

const pip = (...rest: string[]) => ['-m', 'pip', 'install', '--disable-pip-version-check', ...rest]

async function versionOf(python: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await run(python, ['--version'], { env: { ...process.env, ...env } })).stdout
  } catch (error) {
    throw new EspalierError('not_supported', `${python} does not start. ${pythonCure}`, { cause: error })
  }
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
    .slice(0, 16)
}

function spawnLogged(
  command: string,
  options: string[],
  { onLine, signal }: { onLine: (line: string) => void; signal: AbortSignal | undefined },
): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const child = spawn(command, options, {
      env: programVariables(installerVariables),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = () => child.kill()
    signal?.addEventListener('abort', end, { once: true })
    const tail: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        tail.push(line)
        if (tail.length > 10) tail.shift()
        onLine(line)
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else if (code === 0) resolve()
      else {
        const message = `The packages could not be installed (code ${code}). The last lines: ${tail.join(' | ')}`
        reject(new EspalierError('internal', message))
      }
    })
  })
}
