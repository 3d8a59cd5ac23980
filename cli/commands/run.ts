import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { DatasetKindId } from '../../shared/core/contracts/dataset.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { buildDataset } from '../build-dataset.ts'
import { buildRunRequest, type RunFlags } from '../build-run-request.ts'
import { detachNeedsService } from '../change-run.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { type Connection, lookAt, withConnection } from '../connect.ts'
import { describeCaps } from '../describe-caps.ts'
import {
  addEnvironmentFile,
  checkEnvironmentServed,
  isEnvironmentFile,
  readEnvironmentFile,
  refusePath,
} from '../environment-file.ts'
import { fetchDataset } from '../fetch-dataset.ts'
import { describeDataset } from '../format-dataset.ts'
import { formatChoices } from '../format-run.ts'
import { formatRunEstimate } from '../format-run-estimate.ts'
import type { GlobalOptions } from '../global-options.ts'
import { addMethodFile, checkServed, isMethodFile, readMethodFile, toMethodFiles } from '../method-file.ts'
import { collect, parseNumber, parsePrompts } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { PromptFile } from '../read-prompt-file.ts'
import { readTaskFile } from '../read-task-file.ts'
import { readText } from '../read-text.ts'
import type { Terminal } from '../terminal.ts'
import { watchRun } from '../watch-run.ts'

type RunOptions = GlobalOptions &
  RunFlags & {
    file?: string
    taskFile?: string
    beginnings?: string
    detach?: boolean
    dryRun?: boolean
    dataset?: DatasetKindId
  }

export function addRunCommand(program: Command, terminal: Terminal): void {
  program
    .command('run')
    .description('Start a run, watch it and print its report.')
    .optionsGroup('What is played:')
    .option('--file <path>', 'a JSON file with the run, or - for standard input; flags override it')
    .option('--name <text>', 'a name for people')
    .option(
      '--environment <id>',
      'the environment; `espalier environments` lists them. Or a file that exports one, such as ./mine.ts',
    )
    .option('--split <split>', 'the split of its tasks (default: test)')
    .option('--task <id>', 'one task by its id; may be given several times', collect)
    .option(
      '--task-file <path>',
      'a JSON list of ids, or a task file of the environment’s paper that its page in the guide names',
    )
    .option(
      '--beginnings <path>',
      'a JSON map of tasks to lists of answers: each is played before the model goes on, as in Agent-R’s test of recovery',
    )
    .option('--range <from-to>', 'positions in the split, such as 0-50')
    .option('--type <type>', 'only tasks of this type; may be given several times', collect)
    .option('--limit <n>', 'at most this many tasks', parseNumber)
    .option(
      '--generate <n>',
      'make this many tasks, in place of those that come along; --split is theirs then (default: train)',
      parseNumber,
    )
    .option('--generator <id>', 'the generator; `espalier environments ENVIRONMENT` lists generators')
    .option('--generate-seed <n>', 'which of them, and in which order (default: 0)', parseNumber)
    .option(
      '--bound <name=value>',
      'a bound of the generator, such as max_balls=2; may be given several times',
      collect,
    )
    .option('--epochs <n>', 'number of times to play each task', parseNumber)
    .option('--seed <n>', 'the seed of everything random', parseNumber)
    .option('--data <pack>', 'a data pack by name or digest, or builtin (default: the one added last)')
    .option(
      '--environment-option <name=value>',
      "an option of the environment's rules, such as scoring=best; may be given several times",
      collect,
    )
    .option('--hosting <where>', 'host of the environment: auto, worker or host')
    .option('--workers <kind>', 'workers of a deployment: auto, lambda or fargate')
    .optionsGroup('How:')
    .option('--preset <id>', "a paper's settings, which other flags override; `espalier presets` lists them")
    .option(
      '--method <id>',
      'the method; `espalier methods` lists them. Or a file that exports one, such as ./greedy.ts',
    )
    .option('--set <name=value>', 'a parameter of the method; may be given several times', collect)
    .option('--model <id>', 'the model, as its endpoint calls it')
    .option('--endpoint <name>', 'the endpoint; `espalier models` lists them (default: openai, or simulated)')
    .option('--temperature <n>', 'sampling temperature', parseNumber)
    .option('--top-p <n>', 'nucleus sampling', parseNumber)
    .option(
      '--answer-tokens <n>',
      'the longest answer asked for, thoughts included (default: 4096; of the simulated model 512)',
      parseNumber,
    )
    .option('--reasoning-effort <word>', 'reasoning effort of the model, such as low or high')
    .option(
      '--request <field=value>',
      'a further field of each request, such as top_k=20; may be given several times',
      collect,
    )
    .option('--prompt-tokens <n>', 'the longest prompt; its oldest turns are cut', parseNumber)
    .option('--tokenizer <model>', 'the registered model whose tokenizer counts prompts, or estimate')
    .option('--max-pictures <n>', 'the newest pictures that a prompt shows (default: 4)', parseNumber)
    .option(
      '--stop <text>',
      'answers of the policy end before it, \\n being a line break; up to four times',
      collect,
    )
    .option(
      '--role <role=endpoint:model>',
      'another model for a role, or a setting of it, such as debate.temperature=0.1; may be given several times',
      collect,
    )
    .option(
      '--prompt <id=@file>',
      "a file, or a text, in place of one of the method's prompts; may be given several times",
      collect,
    )
    .optionsGroup('Limits:')
    .option('--max-parallel <n>', 'episodes in flight', parseNumber)
    .option('--max-retries <n>', 'number of retries of an errored episode', parseNumber)
    .option('--max-cost <dollars>', 'pauses the run', parseNumber)
    .option('--max-tokens <n>', 'pauses the run', parseNumber)
    .option('--max-time <seconds>', 'pauses the run', parseNumber)
    .option('--episode-steps <n>', 'ends an episode', parseNumber)
    .option('--episode-turns <n>', 'ends an episode', parseNumber)
    .option('--episode-tokens <n>', 'ends an episode', parseNumber)
    .option('--episode-cost <dollars>', 'ends an episode', parseNumber)
    .option('--episode-time <seconds>', 'ends an episode', parseNumber)
    .optionsGroup('Then:')
    .option('--experiment <name>', 'the experiment that it belongs to')
    .option('--tag <word>', 'a word to find it by; may be given several times', collect)
    .option('--note <text>', 'words about it, for people')
    .option('--metadata <name=value>', 'kept with the run; may be given several times', collect)
    .option('--dry-run', 'only estimate calls, tokens and money')
    .option('--detach', 'start it and return; needs a running service')
    .option('--dataset <kind>', 'when it has completed, export this kind of dataset of it')
    .addHelpText(
      'after',
      `\nExample: espalier run --environment ${exampleEnvironment} --method mcts --set iterations=8 --model simulated --limit 20`,
    )
    .action(async (_: unknown, command: Command) => {
      await run(command.optsWithGlobals<RunOptions>(), terminal)
    })
}

async function run(options: RunOptions, terminal: Terminal): Promise<void> {
  if (!isMethodFile(options.method)) refusePath(options.method, 'method')
  if (!isEnvironmentFile(options.environment)) refusePath(options.environment, 'environment')
  const file = options.file === undefined ? {} : await readRunFile(options.file)
  const method = isMethodFile(options.method) ? await readMethodFile(options.method) : null
  const environment = isEnvironmentFile(options.environment)
    ? await readEnvironmentFile(options.environment, terminal.environment)
    : null
  const flags = {
    ...options,
    ...(method !== null && { method: method.id }),
    ...(environment !== null && { environment: environment.id }),
  }
  const request = buildRunRequest(
    await withBeginnings(await withPromptFiles(await withTaskFile(flags, file))),
    file,
  )
  if (environment !== null) await addEnvironmentFile(environment, options, terminal)
  const checkFiles = async (client: ApiClient) => {
    if (method !== null) await checkServed(client, method)
    if (environment !== null) await checkEnvironmentServed(client, environment)
  }
  if (options.dryRun) {
    const needs = method && { methodFiles: await toMethodFiles(method, options.folder) }
    const work = async ({ client }: Connection) => {
      await checkFiles(client)
      const estimate = await client.estimateRun(request)
      printResult(terminal, options, estimate, () => formatRunEstimate(estimate, terminal.columns))
    }
    await lookAt(options, terminal, work, needs ?? {})
    return
  }
  if (method !== null) await addMethodFile(method, options, terminal)
  await withConnection(options, terminal, async (connection) => {
    const { client } = connection
    await checkFiles(client)
    if (options.detach && connection.embedded) {
      throw detachNeedsService()
    }
    const caps = options.detach ? null : await describeCaps(client, request)
    const started = await client.createRun(request, randomUUID())
    if (options.detach) {
      terminal.out(options.json ? JSON.stringify(started, null, 2) : started.id)
      return
    }
    terminal.note(
      [
        `${started.id} · ${started.episodes.total} episodes`,
        ...formatChoices(started),
        ...(caps === null ? [] : [caps(started.episodes.total)]),
      ].join('\n'),
    )
    await watchRun(connection, started.id, options, terminal)
    if (options.dataset === undefined) return
    const dataset = await buildDataset(client, { runs: [started.id], kind: options.dataset })
    const { asked, folder } = await fetchDataset(connection, dataset)
    if (options.json) terminal.out(JSON.stringify({ ...dataset, folder }))
    else
      terminal.out(['', ...describeDataset(dataset, folder, { width: terminal.columns, asked })].join('\n'))
  })
}

async function withTaskFile(options: RunOptions, { environment }: JsonObject): Promise<RunOptions> {
  const { taskFile } = options
  if (taskFile === undefined) return options
  if (options.task !== undefined) throw wrongUsage('Give --task or --task-file, not both.')
  const named = options.environment ?? environment
  if (typeof named !== 'string') throw wrongUsage('Give --environment: a task file is of one.')
  return { ...options, task: await readTaskFile(taskFile, await readText(taskFile), named) }
}

async function withBeginnings(options: RunOptions): Promise<RunOptions> {
  const { beginnings: path, set = [], task } = options
  if (path === undefined) return options
  const beginnings = parseBeginnings(path, await readText(path))
  return {
    ...options,
    task: task ?? Object.keys(beginnings),
    set: [...set, `beginnings=${JSON.stringify(beginnings)}`],
  }
}

function parseBeginnings(path: string, content: string): object {
  try {
    const parsed: unknown = JSON.parse(content)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw wrongUsage(`${path} must hold a JSON map of task ids to lists of answers.`)
}

async function withPromptFiles(options: RunOptions): Promise<RunOptions> {
  if (options.prompt === undefined) return options
  const prompt: string[] = []
  let { examples } = options
  for (const [id, given] of Object.entries(parsePrompts(options.prompt))) {
    const file = given.startsWith('@') ? await promptFileOf(id, given.slice(1)) : { text: given }
    if (file.text?.trim() === '') throw wrongUsage(`--prompt ${id}: ${given.slice(1)} is empty.`)
    if (file.text !== undefined) prompt.push(`${id}=${file.text.trimEnd()}`)
    examples = file.examples ?? examples
  }
  return { ...options, prompt, ...(examples && { examples }) }
}

async function promptFileOf(id: string, path: string): Promise<PromptFile> {
  const { readPromptFile } = await import('../read-prompt-file.ts')
  return readPromptFile(path).catch((error: unknown) => {
    throw error instanceof CommandError ? wrongUsage(`--prompt ${id}: ${error.message}`) : error
  })
}

async function readRunFile(path: string): Promise<JsonObject> {
  const content = path === '-' ? await text(process.stdin) : await readText(path)
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw wrongUsage(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw wrongUsage(`${path} must hold a JSON object: the request of a run.`)
}
