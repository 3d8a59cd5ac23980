import type { Command } from 'commander'
import { formatMoney } from '../../shared/core/client/format-quantity.ts'
import type { EndpointDetail, EndpointTest } from '../../shared/core/contracts/endpoint.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { toList } from '../../shared/core/contracts/list.ts'
import { atDesk, type DeskOptions, stageFlag } from '../at-desk.ts'
import { choiceOption } from '../choice-option.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { withConnection } from '../connect.ts'
import { endpointsDesk } from '../endpoints-desk.ts'
import { toLine } from '../fit-text.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseSettings } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'
import { formatEndpoints } from './models.ts'

type ConfigurationOptions = DeskOptions & {
  kind: string
  url?: string[]
  keyEnv?: string
  keyFile?: string
  keySecret?: string
  set: string[]
}

export function addEndpointsCommand(program: Command, terminal: Terminal): void {
  const endpoints = program
    .command('endpoints')
    .description(
      'List, add, change, test and remove endpoints while the service runs. Change those of endpoints.json in that file.',
    )
    .addHelpText('after', '\nExample: espalier endpoints add local --url http://127.0.0.1:8000/v1')
  endpoints
    .command('list')
    .description('List every endpoint.')
    .option(...stageFlag)
    .addHelpText('after', '\nExample: espalier endpoints list')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DeskOptions>()
      const list = await atDesk(options, terminal, endpointsDesk, (desk) => desk.list())
      printResult(terminal, options, toList(list, false), () => formatEndpoints(list, terminal.columns))
    })
  addAdd(endpoints, terminal)
  addChange(endpoints, terminal)
  addTest(endpoints, terminal)
  addRemove(endpoints, terminal)
}

function addConfigurationFlags(command: Command): Command {
  return command
    .option('--url <url...>', 'address of the endpoint; several servers of one model form a pool')
    .option('--key-env <name>', 'environment variable of the service that holds the API key')
    .option('--key-file <path>', 'a file of mode 600 that holds the API key')
    .option('--key-secret <name>', 'a secret in AWS Secrets Manager that holds the API key')
    .option('--set <field=value...>', 'any other field of an entry of endpoints.json', [])
    .option(...stageFlag)
}

function addAdd(endpoints: Command, terminal: Terminal): void {
  addConfigurationFlags(endpoints.command('add'))
    .description(
      'Add an endpoint, which runs can name at once. Do not give a key: name the variable, file or secret that holds it.',
    )
    .argument('<name>', 'name of the endpoint, for use in runs')
    .addOption(
      choiceOption('--kind <kind>', 'API of the endpoint', [
        'openai',
        'openai-responses',
        'anthropic',
        'azure',
        'simulated',
      ]).default('openai'),
    )
    .addHelpText(
      'after',
      '\nExample: espalier endpoints add together --url https://api.together.xyz/v1 --key-env TOGETHER_API_KEY --set requests_per_minute=600',
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConfigurationOptions>()
      const endpoint = { kind: options.kind, ...configurationOf(options) }
      const added = await atDesk(options, terminal, endpointsDesk, (desk) => desk.add({ name, endpoint }))
      printResult(terminal, options, added, () => formatEndpoint(added))
    })
}

function addChange(endpoints: Command, terminal: Terminal): void {
  addConfigurationFlags(endpoints.command('change'))
    .description('Change an added endpoint. Other fields stay; --set field=null removes a field.')
    .argument('<name>', 'name of the endpoint')
    .addHelpText('after', '\nExample: espalier endpoints change local --set max_concurrency=16')
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConfigurationOptions>()
      const change = configurationOf(options)
      if (Object.keys(change).length === 0) throw wrongUsage('Say what is to change, such as --url or --set.')
      const changed = await atDesk(options, terminal, endpointsDesk, async (desk) => {
        const before: JsonObject = JSON.parse(JSON.stringify((await desk.get(name)).configuration))
        if ('base_url' in change || 'base_urls' in change) {
          delete before.base_url
          delete before.base_urls
        }
        const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null)
        return desk.change(name, { endpoint: Object.fromEntries(merged) })
      })
      printResult(terminal, options, changed, () => formatEndpoint(changed))
    })
}

function addTest(endpoints: Command, terminal: Terminal): void {
  endpoints
    .command('test')
    .description('Send an endpoint one small request, and show whether it answers, its latency and its cost.')
    .option(
      '--features',
      'also test several answers to one request, a picture, a prompt of some 6,000 tokens, and token ids',
    )
    .argument('<name>', 'name of the endpoint')
    .option('--model <id>', 'the model to call (default: the only known one)')
    .addHelpText('after', '\nExample: espalier endpoints test local --model Qwen/Qwen3-8B')
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { model?: string; features?: boolean }>()
      const request = {
        ...(options.model !== undefined && { model: options.model }),
        ...(options.features && { features: true }),
      }
      // The server of a registered model may have to start first.
      await withConnection(options, terminal, async ({ client }) => {
        const result = await client.testEndpoint(name, request)
        const limits = limitsOf(await client.endpoint(name))
        printResult(terminal, options, result, () => formatTest(result, limits))
        const { error, ok } = result
        if (!ok)
          throw new CommandError('endpoint_failed', error ?? 'It did not answer.', 1, { isPrinted: true })
      })
    })
}

const cutAnswer = ' (cut at 16 tokens: a model that thinks has often not come to its answer by then)'

function formatTest(result: EndpointTest, limits: string): string[] {
  const {
    answer,
    endpoint,
    error,
    features,
    finish_reason,
    latency,
    model,
    ok,
    usage,
    warnings = [],
  } = result
  if (!ok || usage === null) return [`${endpoint} did not answer: ${toLine(error ?? '')}`]
  const reasoning =
    usage.reasoning_tokens === undefined ? '' : `, ${usage.reasoning_tokens} of them reasoning`
  const cost = usage.cost === null ? 'no price is known' : formatMoney(usage.cost)
  return [
    `${endpoint} answered as ${model} in ${Math.round(latency)} ms: ${toLine(answer ?? '')}`,
    `  ended      ${finish_reason ?? 'without a reason'}${finish_reason === 'length' ? cutAnswer : ''}`,
    `  used       ${usage.input_tokens} tokens in, ${usage.output_tokens} out${reasoning}; ${cost}`,
    `  limits     ${limits}`,
    ...(features ?? []).map(
      ({ id, works, note }) =>
        `  ${id.padEnd(9)}  ${works === null ? 'not shown' : works ? 'yes' : 'no'}: ${toLine(note)}`,
    ),
    ...warnings.map(({ message }) => `  warning    ${toLine(message)}`),
  ]
}

function limitsOf({ configuration }: EndpointDetail): string {
  const named = Object.entries(configuration).filter(([field]) =>
    /^(max_concurrency|\w+_per_minute)$/.test(field),
  )
  return (
    named.map(([field, value]) => `${field} ${value}`).join(', ') ||
    'none configured: those that it answers with'
  )
}

function addRemove(endpoints: Command, terminal: Terminal): void {
  endpoints
    .command('remove')
    .description('Remove an added endpoint. Runs that use it pause.')
    .argument('<name>', 'name of the endpoint')
    .option(...stageFlag)
    .addHelpText('after', '\nExample: espalier endpoints remove local')
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DeskOptions>()
      await atDesk(options, terminal, endpointsDesk, (desk) => desk.remove(name))
      const gone = { id: name, object: 'endpoint', deleted: true }
      printResult(terminal, options, gone, () => [`${name} is removed.`])
    })
}

function configurationOf({ keyEnv, keyFile, keySecret, set, url }: ConfigurationOptions): JsonObject {
  const [first, ...others] = url ?? []
  return {
    ...(first !== undefined &&
      (others.length === 0 ? { base_url: first } : { base_urls: [first, ...others] })),
    ...(keyEnv !== undefined && { api_key_env: keyEnv }),
    ...(keyFile !== undefined && { api_key_file: keyFile }),
    ...(keySecret !== undefined && { api_key_secret: keySecret }),
    ...parseSettings(set),
  }
}

function formatEndpoint({ id, note, ready }: EndpointDetail): string[] {
  return [
    ready ? `${id} can be named in runs.` : `${id} is not ready: ${toLine(note ?? '')}`,
    `Try it: espalier endpoints test ${id} --model MODEL`,
  ]
}
