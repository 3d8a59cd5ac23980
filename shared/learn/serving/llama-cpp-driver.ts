import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { extname, join } from 'node:path'
import type { RegisteredModel } from '../../core/contracts/registered-model.ts'
import { programVariables } from '../../core/programs/program-variables.ts'
import {
  findPythonEnvironment,
  installPythonEnvironment,
  type WantedEnvironment,
} from '../../core/programs/python-environment.ts'
import type { ServerDriver, ServerJob } from './server-driver.ts'

const runWithParent = join(import.meta.dirname, `run-with-parent${extname(import.meta.filename)}`)

const kept = 20_000
const shown = 1500

const programs = join(import.meta.dirname, '../../../containers/model-server')

export function llamaCppPackages(variables: NodeJS.ProcessEnv): WantedEnvironment {
  return { requirements: join(programs, 'requirements.txt'), variables }
}

/**
 * llama.cpp's server from PyPI, on the CPU. It serves a GGUF file, or one converted from a model in safetensors. Its
 * programs run in a virtual environment in the user's cache folder, created on first use.
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
    const { model, port, settings, work } = job
    const python = await installedPython(job)
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

function usualThreads({ OMP_NUM_THREADS }: NodeJS.ProcessEnv): number {
  const asked = Number(OMP_NUM_THREADS)
  return Number.isInteger(asked) && asked > 0 ? asked : availableParallelism()
}

async function installedPython({ onProgress, signal }: ServerJob): Promise<string> {
  const packages = llamaCppPackages(process.env)
  const found = await findPythonEnvironment(packages)
  if (found.isInstalled) return found.python
  onProgress('llama.cpp is installed from PyPI')
  return (await installPythonEnvironment(packages, () => {}, signal)).python
}

async function ggufOf(
  { files, model, onProgress, signal, work }: ServerJob,
  python: string,
): Promise<string> {
  const own = model.files.find(({ name }) => name.endsWith('.gguf'))
  if (own !== undefined) return join(files, own.name)
  const target = join(work, 'model.gguf')
  // Weights do not change under an id, so an existing file is the model.
  if (existsSync(target) && (await stat(target)).size > 0) return target
  onProgress('it is converted for llama.cpp')
  await runCommand([python, join(programs, 'convert.py'), files, target], { signal, patience: 3_600_000 })
  return target
}

/**
 * Runs a command to its end. The command does not outlive this process.
 * @param limits.patience milliseconds
 * @returns its output
 * @throws Error with its last lines if it fails or takes too long; the signal's reason when it aborts
 */
async function runCommand(
  command: readonly string[],
  { patience, signal }: { patience: number; signal?: AbortSignal },
): Promise<string> {
  const child = spawn(process.execPath, [runWithParent, ...command], {
    env: programVariables(),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  const hear = (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-kept)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.stdin.on('error', () => child.stdin.destroy())
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.stdin.end()
  }, patience)
  const abort = () => child.stdin.end()
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  let code: unknown = null
  try {
    ;[code] = await once(child, 'close')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  signal?.throwIfAborted()
  const name = command.slice(0, 2).join(' ')
  if (isLate) throw new Error(`${name} took longer than ${patience / 1000} seconds. ${said.slice(-shown)}`)
  if (code !== 0) throw new Error(`${name} failed: ${said.trim().slice(-shown)}`)
  return said
}
