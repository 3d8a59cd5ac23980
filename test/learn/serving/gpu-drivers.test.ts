import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveRequestSchema } from '../../../shared/core/contracts/model-server.ts'
import {
  type ModelSource,
  type RegisteredModel,
  registeredModelSchema,
} from '../../../shared/core/contracts/registered-model.ts'
import { sglangDriver, vllmDriver } from '../../../shared/learn/serving/gpu-drivers.ts'
import type { ServerDriver } from '../../../shared/learn/serving/server-driver.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const modelOf = (facts: Partial<RegisteredModel> = {}): RegisteredModel =>
  registeredModelSchema.parse({
    id: 'model-1',
    object: 'registered_model',
    created_at: '2026-01-01T00:00:00.000Z',
    name: 'mine',
    parent: null,
    base: null,
    training: null,
    datasets: [],
    runs: [],
    format: 'safetensors',
    tokenizer: null,
    chat_template: null,
    context_length: null,
    licence: null,
    files: [],
    bytes: 0,
    endpoint: null,
    ...facts,
  })

async function commandOf(
  driver: ServerDriver,
  {
    model = modelOf(),
    base = { folder: '/base' },
    rank = 16,
    settings = {},
  }: {
    model?: RegisteredModel
    base?: ModelSource
    rank?: number
    settings?: object
  } = {},
) {
  const files = await temporaryFolder()
  await writeFile(join(files, 'adapter_config.json'), JSON.stringify({ r: rank }))
  const command = await driver.prepare({
    model,
    settings: serveRequestSchema.parse({ driver: driver.name, ...settings }),
    files,
    work: await temporaryFolder(),
    port: 15_000,
    base: async () => base,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  return { command, files }
}

// The flags are those that vLLM 0.33.0 publishes (engine/arg_utils.py, entrypoints/common/cli_args.py). Its parser needs a build
// for the machine, which no runner of these tests has.
test('vLLM gets its published flags, and those of the operator behind them', async () => {
  const driver = vllmDriver({ arguments: ['--gpu-memory-utilization', '0.85'], environment: { A: '1' } })
  const { command, files } = await commandOf(driver, { settings: { context: 4096, slots: 8 } })
  expect(command).toEqual([
    ...['vllm', 'serve', files, '--host', '127.0.0.1', '--port', '15000', '--max-num-seqs', '8'],
    ...['--max-model-len', '4096', '--served-model-name', 'model-1', '--gpu-memory-utilization', '0.85'],
  ])
  expect(driver.environment).toEqual({ A: '1' })
  expect((await commandOf(sglangDriver({ arguments: ['--tp', '2'] }))).command.slice(-2)).toEqual([
    '--tp',
    '2',
  ])
})

test.each([
  [{ folder: '/base' }, ['/base']],
  [{ hub: 'Qwen/Qwen3-0.6B', revision: 'main' }, ['Qwen/Qwen3-0.6B', '--revision', 'main']],
] as [ModelSource, string[]][])(
  'vLLM serves an adapter beside its base without a merge: %j',
  async (base, weights) => {
    const model = modelOf({ format: 'adapter', base })
    expect(vllmDriver().refuses(model)).toBeNull()
    const { command, files } = await commandOf(vllmDriver(), { model, base, rank: 17 })
    expect(command.slice(0, 2 + weights.length)).toEqual(['vllm', 'serve', ...weights])
    expect(command.slice(command.indexOf('--served-model-name'))).toEqual([
      ...['--served-model-name', 'base-of-model-1', '--enable-lora', '--max-lora-rank', '32'],
      ...['--lora-modules', JSON.stringify({ name: 'model-1', path: files })],
    ])
  },
)

test('an adapter that vLLM cannot serve is refused with the way out', async () => {
  expect(vllmDriver().refuses(modelOf({ format: 'adapter' }))).toContain('register it with its parent')
  const model = modelOf({ format: 'adapter', parent: 'model-0' })
  await expect(commandOf(vllmDriver(), { model, rank: 513 })).rejects.toThrow(
    'up to rank 512, and this has 513',
  )
  expect(sglangDriver().refuses(model)).toContain('the model is adapter')
})
