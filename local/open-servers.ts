import { z } from 'zod'
import { serveFields, variablesSchema } from '../shared/core/contracts/model-server.ts'
import { sglangDriver, vllmDriver } from '../shared/learn/serving/gpu-drivers.ts'
import { llamaCppDriver } from '../shared/learn/serving/llama-cpp-driver.ts'
import {
  commandDriver,
  type LaunchingDriver,
  type ServerDrivers,
  serverDrivers,
} from '../shared/learn/serving/server-driver.ts'
import { readSettingsFile } from './read-settings-file.ts'

/** Arguments that a driver writes itself, with the setting that decides them. */
const ownArguments: Readonly<Record<'vllm' | 'sglang', Readonly<Record<string, string>>>> = {
  vllm: {
    '--host': 'the service',
    '--port': 'the service',
    '--model': 'the served model',
    '--revision': 'the base of the served model',
    '--served-model-name': 'the served model',
    '--chat-template': 'the served model',
    '--max-num-seqs': '"slots"',
    '--max-model-len': '"context"',
    '--enable-lora': 'the served model',
    '--lora-modules': 'the served model',
    '--max-lora-rank': 'the served model',
    '--api-key': 'the service, whose calls have none',
  },
  sglang: {
    '--host': 'the service',
    '--port': 'the service',
    '--model-path': 'the served model',
    '--served-model-name': 'the served model',
    '--chat-template': 'the served model',
    '--max-running-requests': '"slots"',
    '--context-length': '"context"',
    '--api-key': 'the service, whose calls have none',
  },
}

function programSchema(driver: keyof typeof ownArguments) {
  const argument = z.string().min(1).max(4096)
  return z
    .strictObject({
      arguments: z
        .array(argument)
        .max(200)
        .default([])
        .describe('More arguments of the program, by its own names.'),
      environment: variablesSchema.describe('Variables of its servers, such as CUDA_VISIBLE_DEVICES.'),
    })
    .check(({ value, issues }) => {
      for (const [at, text] of value.arguments.entries()) {
        const complain = (message: string) =>
          issues.push({ code: 'custom', input: text, path: ['arguments', at], message })
        const [, given = ''] = /^(--[^=]+)/.exec(text) ?? []
        const name = given.replaceAll('_', '-')
        const decides = ownArguments[driver][name]
        if (decides !== undefined) complain(`${name} is decided by ${decides}. Leave it out.`)
        if (at === 0 && given === '') complain('the first argument must be a name that begins with --.')
      }
    })
    .prefault({})
}

export const serversFileSchema = z.strictObject({
  servers: z
    .strictObject(serveFields)
    .partial()
    .refine(({ driver }) => driver !== 'remote', {
      message: 'remote is for models that a service keeps',
      path: ['driver'],
    })
    .refine(({ command, driver }) => (driver === 'command') === (command !== undefined), {
      message: 'The driver "command" needs a command, and no other driver takes one.',
      path: ['command'],
    })
    .prefault({})
    .describe('Settings of every server that its request does not state.'),
  vllm: programSchema('vllm'),
  sglang: programSchema('sglang'),
})

/**
 * Opens the drivers of this machine's model servers.
 * @param path - of servers.json, which may be absent
 * @param more drivers that are preferred to its own
 * @throws EspalierError `invalid_request` for an invalid file, naming the field
 */
export async function openServers(
  path: string,
  more: readonly LaunchingDriver[] = [],
): Promise<ServerDrivers> {
  const { servers, sglang, vllm } = await readSettingsFile(path, serversFileSchema)
  const drivers = [...more, vllmDriver(vllm), sglangDriver(sglang), llamaCppDriver, commandDriver]
  return serverDrivers(drivers, JSON.parse(JSON.stringify(servers)))
}
