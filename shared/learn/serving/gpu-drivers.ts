import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { RegisteredModel } from '../../core/contracts/registered-model.ts'
import type { ServerDriver, ServerJob } from './server-driver.ts'

const run = promisify(execFile)

export interface GpuServerSettings {
  /** More arguments of the program, by its own names. */
  arguments?: readonly string[]
  environment?: Readonly<Record<string, string>>
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

/** vLLM. It serves whole models, and an adapter beside its base without a merge. */
export function vllmDriver({ arguments: more = [], environment = {} }: GpuServerSettings = {}): ServerDriver {
  return {
    name: 'vllm',
    usesAccelerator: true,
    environment,
    refuses(model) {
      if (model.format !== 'adapter') return needsSafetensors(model)
      return model.parent === null && model.base === null
        ? 'the base of the adapter is not known: register it with its parent, or with a base'
        : null
    },
    isInstalled: async () => (await isProgram('vllm')) && (await hasGpu()),
    async prepare(job) {
      const { model, port, settings } = job
      return [
        ...['vllm', 'serve', ...(await weightsOf(job)), '--host', '127.0.0.1', '--port', String(port)],
        ...['--max-num-seqs', String(settings.slots)],
        ...(settings.context === undefined ? [] : ['--max-model-len', String(settings.context)]),
        ...(await templateOf(job)),
        ...(model.format === 'adapter' ? await adapterOf(job) : ['--served-model-name', model.id]),
        ...more,
      ]
    },
  }
}

export function sglangDriver({
  arguments: more = [],
  environment = {},
}: GpuServerSettings = {}): ServerDriver {
  return {
    name: 'sglang',
    usesAccelerator: true,
    environment,
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
        ...more,
      ]
    },
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

function needsSafetensors({ format }: RegisteredModel): string | null {
  return format === 'safetensors' ? null : `it serves safetensors, and the model is ${format}`
}

async function templateOf({ model, work }: ServerJob): Promise<string[]> {
  if (model.chat_template === null) return []
  const path = join(work, 'chat_template.jinja')
  await writeFile(path, model.chat_template)
  return ['--chat-template', path]
}

async function weightsOf({ base, files, model }: ServerJob): Promise<string[]> {
  if (model.format !== 'adapter') return [files]
  const from = await base()
  if ('folder' in from) return [from.folder]
  return [from.hub, ...(from.revision === undefined ? [] : ['--revision', from.revision])]
}

/** Ranks that vLLM makes room for; its default is 16. */
const adapterRanks = [1, 8, 16, 32, 64, 128, 256, 320, 512]

async function adapterOf({ files, model }: ServerJob): Promise<string[]> {
  const { r: rank } = JSON.parse(await readFile(join(files, 'adapter_config.json'), 'utf8'))
  const room = adapterRanks.find((each) => each >= rank)
  if (room === undefined) {
    throw new Error(
      `vLLM serves adapters up to rank ${adapterRanks.at(-1)}, and this has ${rank}: merge it into its base`,
    )
  }
  // The base keeps a name of its own, so that the model's id asks the adapter.
  return [
    ...['--served-model-name', `base-of-${model.id}`, '--enable-lora', '--max-lora-rank', String(room)],
    ...['--lora-modules', JSON.stringify({ name: model.id, path: files })],
  ]
}
