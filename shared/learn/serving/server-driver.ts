import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { ServerDriverName, ServeSettings } from '../../core/contracts/model-server.ts'
import type { RegisteredModel } from '../../core/contracts/registered-model.ts'
import { noAccelerator, usualAccelerator } from '../registry/accelerators.ts'

const run = promisify(execFile)

export interface ServerJob {
  model: RegisteredModel
  settings: ServeSettings
  files: string
  work: string
  port: number
  onProgress(what: string): void
  signal: AbortSignal
}

/** Starts servers of one kind. All of them answer `/health` with 200 once they are ready. */
export interface ServerDriver {
  readonly name: ServerDriverName
  readonly usesAccelerator: boolean
  refuses(model: RegisteredModel): string | null
  isInstalled(): Promise<boolean>
  /** Prepares the files, and returns the command of the server. Safe to call again after a kill. */
  prepare(job: ServerJob): Promise<string[]>
}

export interface ServerDrivers {
  get(name: ServerDriverName): ServerDriver
  /**
   * The requested driver, or the best one usable here.
   * @throws EspalierError `invalid_request` if it cannot serve the model
   */
  choose(model: RegisteredModel, settings: Pick<ServeSettings, 'driver'>): Promise<ServerDriverName>
}

export function serverDrivers(drivers: readonly ServerDriver[]): ServerDrivers {
  function get(name: ServerDriverName): ServerDriver {
    const driver = drivers.find((each) => each.name === name)
    if (driver === undefined) throw new Error(`There is no driver ${name}.`)
    return driver
  }
  return {
    get,
    async choose(model, { driver: named }) {
      if (named === 'remote') {
        throw new EspalierError(
          'invalid_request',
          `The weights of ${model.id} are here: no service keeps it.`,
          {
            param: 'driver',
          },
        )
      }
      const candidates = named === undefined ? drivers.filter(({ name }) => name !== 'command') : [get(named)]
      const reasons: string[] = []
      for (const driver of candidates) {
        const refusal = driver.refuses(model)
        if (refusal === null && (await driver.isInstalled())) return driver.name
        reasons.push(`${driver.name}: ${refusal ?? 'it is not installed, or there is no GPU'}`)
      }
      throw new EspalierError('invalid_request', `No driver can serve ${model.id}. ${reasons.join('; ')}.`, {
        param: 'driver',
      })
    },
  }
}

export function acceleratorOf(
  drivers: ServerDrivers,
  { accelerator, driver = 'llama-cpp' }: ServeSettings,
): string | null {
  if (accelerator !== undefined) return accelerator === noAccelerator ? null : accelerator
  return drivers.get(driver).usesAccelerator ? usualAccelerator : null
}

export async function hasGpu(): Promise<boolean> {
  if (!existsSync('/dev/nvidia0') && !existsSync('/dev/kfd')) return false
  if (existsSync('/dev/kfd')) return true
  try {
    await run('nvidia-smi', ['-L'], { timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

async function isProgram(name: string): Promise<boolean> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    const there = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (there) return true
  }
  return false
}

const needsSafetensors = (model: RegisteredModel): string | null =>
  model.format === 'safetensors' ? null : `it serves safetensors, and the model is ${model.format}`

async function templateOf({ model, work }: ServerJob): Promise<string[]> {
  if (model.chat_template === null) return []
  const path = join(work, 'chat_template.jinja')
  await writeFile(path, model.chat_template)
  return ['--chat-template', path]
}

export const vllmDriver: ServerDriver = {
  name: 'vllm',
  usesAccelerator: true,
  refuses: needsSafetensors,
  isInstalled: async () => (await isProgram('vllm')) && (await hasGpu()),
  async prepare(job) {
    const { files, model, port, settings } = job
    return [
      ...['vllm', 'serve', files, '--host', '127.0.0.1', '--port', String(port)],
      ...['--served-model-name', model.id, '--max-num-seqs', String(settings.slots)],
      ...(settings.context === undefined ? [] : ['--max-model-len', String(settings.context)]),
      ...(await templateOf(job)),
    ]
  },
}

export const sglangDriver: ServerDriver = {
  name: 'sglang',
  usesAccelerator: true,
  refuses: needsSafetensors,
  async isInstalled() {
    if (!(await hasGpu())) return false
    return run('python3', [
      '-c',
      'import importlib.util, sys; sys.exit(importlib.util.find_spec("sglang") is None)',
    ]).then(
      () => true,
      () => false,
    )
  },
  async prepare(job) {
    const { files, model, port, settings } = job
    return [
      ...['python3', '-m', 'sglang.launch_server', '--model-path', files, '--host', '127.0.0.1'],
      ...['--port', String(port), '--served-model-name', model.id],
      ...['--max-running-requests', String(settings.slots)],
      ...(settings.context === undefined ? [] : ['--context-length', String(settings.context)]),
      ...(await templateOf(job)),
    ]
  },
}

/** The user's own program. It may or may not use an accelerator, so it holds none unless its settings name one. */
export const commandDriver: ServerDriver = {
  name: 'command',
  usesAccelerator: false,
  refuses: () => null,
  isInstalled: async () => true,
  async prepare({ files, model, port, settings }) {
    const values: Record<string, string> = {
      folder: files,
      port: String(port),
      name: model.id,
      context: String(settings.context ?? model.context_length ?? ''),
    }
    return (settings.command ?? []).map((part) =>
      part.replace(/\{(folder|port|name|context)\}/g, (_, key: string) => values[key] ?? ''),
    )
  },
}
