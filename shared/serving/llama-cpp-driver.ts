import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { RegisteredModel } from '../contracts/registered-model.ts'
import { runCommand } from './run-command.ts'
import type { ServerDriver, ServerJob } from './server-driver.ts'

const programs = join(import.meta.dirname, '../../containers/model-server')

/**
 * llama.cpp's server from PyPI, on the CPU: it serves a GGUF file, or one that is written of a model in safetensors. Its
 * programs run in a virtual environment that is made when it is first needed, in the cache folder of the user.
 */
export const llamaCppDriver: ServerDriver = {
  name: 'llama-cpp',
  usesAccelerator: false,
  refuses({ format }: RegisteredModel) {
    return format === 'adapter'
      ? 'it serves whole models, and this is an adapter: merge it into its base and register that'
      : null
  },
  isInstalled: async () => true,
  async prepare(job) {
    const { model, onProgress, port, settings, signal, work } = job
    const python = await serverPython(onProgress, signal)
    const gguf = await ggufOf(job, python)
    const path = join(work, 'settings.json')
    await writeFile(
      path,
      JSON.stringify({
        gguf,
        name: model.id,
        port,
        slots: settings.slots,
        context: settings.context ?? model.context_length,
        threads: settings.threads ?? usualThreads(process.env),
        chat_template: model.chat_template,
      }),
    )
    return [python, join(programs, 'serve_gguf.py'), path]
  },
}

/** `OMP_NUM_THREADS`, as every program beside it takes it; else a thread for each core. */
function usualThreads({ OMP_NUM_THREADS }: NodeJS.ProcessEnv): number {
  const asked = Number(OMP_NUM_THREADS)
  return Number.isInteger(asked) && asked > 0 ? asked : availableParallelism()
}

/** The GGUF file of a model, written once and kept beside its files. */
async function ggufOf(
  { files, model, onProgress, signal, work }: ServerJob,
  python: string,
): Promise<string> {
  const own = model.files.find(({ name }) => name.endsWith('.gguf'))
  if (own !== undefined) return join(files, own.name)
  const target = join(work, 'model.gguf')
  // Weights do not change under an id, so a file that is there is the model.
  if (existsSync(target) && (await stat(target)).size > 0) return target
  onProgress('it is converted for llama.cpp')
  await runCommand([python, join(programs, 'convert.py'), files, target], { signal, patience: 3_600_000 })
  return target
}

/**
 * The Python of the virtual environment that serves models, made from PyPI when it is first needed and kept under a digest of the
 * packages and of Python's version.
 *
 * @throws Error with the last lines of the installation
 */
export async function serverPython(
  onProgress: (what: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<string> {
  const requirements = join(programs, 'requirements.txt')
  const system = process.env.ESPALIER_PYTHON ?? 'python3'
  const version = await runCommand([system, '--version'], { patience: 30_000, ...(signal && { signal }) })
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .update(version)
    .digest('hex')
  const folder = join(cacheFolder(), 'python', digest.slice(0, 16))
  const python = join(folder, 'bin/python')
  if (existsSync(python)) return python
  onProgress('llama.cpp is installed from PyPI')
  const making = `${folder}.making-${randomUUID()}`
  const limits = { patience: 1_200_000, ...(signal && { signal }) }
  try {
    await mkdir(dirname(making), { recursive: true })
    await runCommand([system, '-m', 'venv', making], limits)
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]
    await runCommand([join(making, 'bin/python'), ...install], limits)
    await rename(making, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process made the same folder in between: theirs is used.
      if (!existsSync(python)) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return python
}

/** The folder of what is installed and kept: `ESPALIER_CACHE`, or `espalier` in the user's cache folder. */
function cacheFolder({ ESPALIER_CACHE: own, XDG_CACHE_HOME: shared } = process.env): string {
  if (own) return resolve(own)
  return join(shared || join(homedir(), '.cache'), 'espalier')
}
