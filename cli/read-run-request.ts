import { text } from 'node:stream/consumers'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import { buildRunRequest, type RunFlags } from './build-run-request.ts'
import { CommandError, wrongUsage } from './command-error.ts'
import {
  checkEnvironmentServed,
  type EnvironmentOfFile,
  isEnvironmentFile,
  readEnvironmentFile,
  refusePath,
} from './environment-file.ts'
import { checkServed, isMethodFile, type MethodOfFile, readMethodFile } from './method-file.ts'
import { parsePrompts } from './parse-setting.ts'
import type { PromptFile } from './read-prompt-file.ts'
import { readTaskFile } from './read-task-file.ts'
import { readText } from './read-text.ts'
import type { Terminal } from './terminal.ts'

export interface RunFileFlags extends RunFlags {
  file?: string
  taskFile?: string
  beginnings?: string
}

export interface AskedRun {
  request: JsonObject
  method: MethodOfFile | null
  environment: EnvironmentOfFile | null
}

export async function readRunRequest(
  options: RunFileFlags,
  terminal: Terminal,
  { split }: { split: string },
): Promise<AskedRun> {
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
  const complete = await withBeginnings(await withPromptFiles(await withTaskFile(flags, file)))
  return { request: buildRunRequest(complete, file, split), method, environment }
}

export async function checkFilesServed(client: ApiClient, { environment, method }: AskedRun): Promise<void> {
  if (method !== null) await checkServed(client, method)
  if (environment !== null) await checkEnvironmentServed(client, environment)
}

async function withTaskFile(options: RunFileFlags, { environment }: JsonObject): Promise<RunFileFlags> {
  const { taskFile } = options
  if (taskFile === undefined) return options
  if (options.task !== undefined) throw wrongUsage('Give --task or --task-file, not both.')
  const named = options.environment ?? environment
  if (typeof named !== 'string') throw wrongUsage('Give --environment: a task file is of one.')
  return { ...options, task: await readTaskFile(taskFile, await readText(taskFile), named) }
}

async function withBeginnings(options: RunFileFlags): Promise<RunFileFlags> {
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

async function withPromptFiles(options: RunFileFlags): Promise<RunFileFlags> {
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
  const { readPromptFile } = await import('./read-prompt-file.ts')
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
