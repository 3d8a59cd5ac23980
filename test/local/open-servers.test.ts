import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServers } from '../../local/open-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function opened(file?: object) {
  const path = join(await temporaryFolder(), 'servers.json')
  if (file !== undefined) await writeFile(path, JSON.stringify(file))
  return openServers(path)
}

type Opened = Awaited<ReturnType<typeof opened>>

function variablesOf(drivers: Opened) {
  const driver = drivers.get('vllm')
  return 'environment' in driver ? driver.environment : undefined
}

test('without a file the drivers have no settings of their own', async () => {
  const drivers = await opened()
  expect(variablesOf(drivers)).toEqual({})
  expect(drivers.usual.driver).toBeUndefined()
})

test('the file settles the drivers and what a request leaves open', async () => {
  const drivers = await opened({
    servers: { driver: 'command', command: ['serve', '{port}'], slots: 16 },
    vllm: { arguments: ['--enforce-eager'], environment: { CUDA_VISIBLE_DEVICES: '1' } },
  })
  expect(drivers.usual).toMatchObject({ driver: 'command', command: ['serve', '{port}'], slots: 16 })
  expect(variablesOf(drivers)).toEqual({ CUDA_VISIBLE_DEVICES: '1' })
})

test.each([
  [
    { vllm: { arguments: ['--max_model_len=4096'] } },
    'vllm.arguments.0: --max-model-len is decided by "context"',
  ],
  [
    { vllm: { arguments: ['--enforce-eager', '--port', '1'] } },
    'vllm.arguments.1: --port is decided by the service',
  ],
  [{ vllm: { arguments: ['0.9'] } }, 'vllm.arguments.0: the first argument must be a name'],
  [
    { sglang: { arguments: ['--context-length', '1'] } },
    'sglang.arguments.0: --context-length is decided by "context"',
  ],
  [{ vllm: { environment: { 'A B': '1' } } }, 'must be the name of a variable'],
  [{ servers: { driver: 'remote' } }, 'servers.driver: remote is for models that a service keeps'],
  [{ servers: { driver: 'command' } }, 'servers.command: The driver "command" needs a command'],
  [{ servers: { gpus: 1 } }, 'Unrecognized key: "gpus"'],
])('%j is refused by its field', async (file, message) => {
  await expect(opened(file)).rejects.toThrow(message)
})
