import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { EndpointInfo } from '../../shared/core/contracts/catalogue.ts'
import { type ServerDriverName, serverDriverSchema } from '../../shared/core/contracts/model-server.ts'
import { choiceOption } from '../choice-option.ts'
import { lookAt, withConnection } from '../connect.ts'
import { formatLineage, formatModel, formatModels, formatServer } from '../format-models.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'
import { uploadModel } from '../upload-model.ts'

type AddOptions = GlobalOptions & {
  name?: string
  parent?: string
  hub?: string
  dataset?: string[]
  contextLength?: number
  licence?: string
}
type ServeOptions = GlobalOptions & {
  driver?: ServerDriverName
  context?: number
  slots?: number
  threads?: number
  accelerator?: string
  idle?: number
  command?: string[]
  wait: boolean
}

const poll = 500

export function addModelsCommand(program: Command, terminal: Terminal): void {
  const models = program
    .command('models')
    .description(
      'List endpoints, with the missing settings of those that are not ready. Its subcommands manage registered models: weights with their lineage.',
    )
    .addHelpText('after', '\nExample: espalier models add ./qwen3-sft --name qwen3-sft')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.models()
        printResult(terminal, options, list, () => formatEndpoints(list.data, terminal.columns))
      })
    })
  addList(models, terminal)
  addShow(models, terminal)
  addAdd(models, terminal)
  addDelete(models, terminal)
  addServe(models, terminal)
  addStop(models, terminal)
}

function addList(models: Command, terminal: Terminal): void {
  models
    .command('list')
    .description('List the registered models, newest first, and which of them are served.')
    .option('--limit <n>', 'maximum number of models', parseNumber, 20)
    .option('--after <model>', 'only models after this one in the list')
    .addHelpText('after', '\nExample: espalier models list')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { limit: number; after?: string }>()
      const { limit, after } = options
      await lookAt(options, terminal, async ({ client }) => {
        const page = await client.registeredModels({ limit, after })
        const servers = (await client.modelServers()).data
        printResult(terminal, options, page, () => formatModels(page.data, servers, terminal.columns))
        if (page.has_more) terminal.note(`There are more: espalier models list --after ${page.last_id}`)
      })
    })
}

function addShow(models: Command, terminal: Terminal): void {
  models
    .command('show')
    .description('Show a registered model and its lineage.')
    .argument('<model>', 'id of the model, as `models list` shows it')
    .addHelpText('after', '\nExample: espalier models show model-06c5k8q2xg-4hj7k2mn')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const [model, lineage] = await Promise.all([client.registeredModel(id), client.modelLineage(id)])
        printResult(terminal, options, { ...model, lineage }, () => [
          ...formatModel(model),
          ...formatLineage(lineage),
        ])
      })
    })
}

function addAdd(models: Command, terminal: Terminal): void {
  models
    .command('add')
    .description('Register the model in a folder: safetensors or GGUF, with its tokenizer.')
    .argument('<folder>', 'the folder of the model, as save_pretrained writes it')
    .option('--name <text>', 'name of the model (default: that of the folder)')
    .option('--parent <model>', 'the registered model that it was trained from')
    .option('--hub <name>', 'hub name of this model, or of the model that it was trained from')
    .option('--dataset <id...>', 'the datasets that it was trained on')
    .option(
      '--context-length <n>',
      'maximum tokens of prompt and answer together (default: as config.json says)',
      parseNumber,
    )
    .option('--licence <text>', 'license of the model, if known')
    .addHelpText('after', '\nExample: espalier models add ./qwen3-sft --name qwen3-sft --hub Qwen/Qwen3-0.6B')
    .action(async (folder: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>()
      const { name, parent, hub, dataset, contextLength, licence } = options
      const facts = {
        ...(name !== undefined && { name }),
        ...(parent !== undefined && { parent }),
        ...(hub !== undefined && { base: { hub } }),
        ...(dataset !== undefined && { datasets: dataset }),
        ...(contextLength !== undefined && { context_length: contextLength }),
        ...(licence !== undefined && { licence }),
      }
      await lookAt(options, terminal, async ({ client, folder: ours }) => {
        const from = resolve(folder)
        // The service of a data folder reads the files itself. Other services need an upload.
        const model =
          ours === null
            ? await uploadModel(client, from, facts, (note) => terminal.note(note))
            : await client.registerModel({ ...facts, folder: from }, randomUUID())
        terminal.note(`Serve it with: espalier models serve ${model.id}`)
        printResult(terminal, options, model, () => formatModel(model))
      })
    })
}

function addDelete(models: Command, terminal: Terminal): void {
  models
    .command('delete')
    .description('Delete an unused registered model and its weights.')
    .argument('<model>', 'id of the model')
    .addHelpText('after', '\nExample: espalier models delete model-06c5k8q2xg-4hj7k2mn')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        await client.deleteModel(id)
        const gone = { id, object: 'registered_model', deleted: true }
        printResult(terminal, options, gone, () => [`${id} is deleted.`])
      })
    })
}

function addServe(models: Command, terminal: Terminal): void {
  models
    .command('serve')
    .description(
      'Serve a registered model as an endpoint. Its server stops when idle; the next call starts it again.',
    )
    .argument('<model>', 'id of the model')
    .addOption(
      choiceOption(
        '--driver <name>',
        'server program (default: the best available)',
        serverDriverSchema.options,
      ),
    )
    .option('--context <n>', 'maximum tokens of prompt and answer in one call', parseNumber)
    .option('--slots <n>', 'number of concurrent calls (default: 4)', parseNumber)
    .option('--threads <n>', 'threads on a CPU (default: its processors)', parseNumber)
    .option(
      '--accelerator <name>',
      'accelerator that it holds while it runs, or "none" (default: gpu for vllm and sglang)',
    )
    .option('--idle <minutes>', 'stop the server after this time without a call (default: 10)', parseNumber)
    .option(
      '--command <part...>',
      'program of the driver "command"; may contain {folder}, {port}, {name} and {context}',
    )
    .option('--no-wait', 'do not wait until its server is healthy')
    .addHelpText('after', '\nExample: espalier models serve model-06c5k8q2xg-4hj7k2mn --slots 8')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>()
      const { driver, context, slots, threads, accelerator, idle, command: parts, wait } = options
      const request = {
        ...(driver !== undefined && { driver }),
        ...(context !== undefined && { context }),
        ...(slots !== undefined && { slots }),
        ...(threads !== undefined && { threads }),
        ...(accelerator !== undefined && { accelerator }),
        ...(idle !== undefined && { idle_minutes: idle }),
        ...(parts !== undefined && { command: parts, driver: 'command' as const }),
      }
      await withConnection(
        options,
        terminal,
        async ({ client, embedded }) => {
          let server = await client.serveModel(id, request)
          let noted = ''
          while (wait && !embedded && server.state !== 'running' && server.state !== 'failed') {
            if (server.note !== null && server.note !== noted) terminal.note(`${server.name}: ${server.note}`)
            noted = server.note ?? noted
            await new Promise((later) => setTimeout(later, poll))
            if (terminal.interruption().aborted) break
            server = (await client.modelServers()).data.find((each) => each.id === id) ?? server
          }
          if (embedded)
            terminal.note(
              'No service runs here, so nothing is started now: the first call of a run starts it.',
            )
          printResult(terminal, options, server, () => formatServer(server))
        },
        { purpose: 'look' },
      )
    })
}

function addStop(models: Command, terminal: Terminal): void {
  models
    .command('stop')
    .description('Stop serving a model: end its server and remove its endpoint.')
    .argument('<model>', 'id of the model')
    .addHelpText('after', '\nExample: espalier models stop model-06c5k8q2xg-4hj7k2mn')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        await client.stopModel(id)
        const stopped = { id, object: 'model_server', stopped: true }
        printResult(terminal, options, stopped, () => [`${id} is served no longer.`])
      })
    })
}

export function formatEndpoints(endpoints: readonly EndpointInfo[], width: number): string[] {
  return formatTable(
    [
      { header: 'endpoint' },
      { header: 'kind' },
      { header: 'ready' },
      { header: 'prices' },
      { header: 'models with prices, or what is missing', flexible: 'wrap' },
    ],
    endpoints.map((endpoint) => [
      endpoint.id,
      endpoint.kind,
      endpoint.ready ? 'yes' : 'no',
      endpoint.priced ? 'yes' : 'no',
      endpoint.note ?? endpoint.models.join(', '),
    ]),
    width,
  )
}
