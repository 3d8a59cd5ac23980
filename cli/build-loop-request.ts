import type { Json, JsonObject } from '../shared/core/contracts/json.ts'
import { assign, merge, objectAt } from './build-run-request.ts'
import { wrongUsage } from './command-error.ts'
import { parsePrompts, parseRange, parseSettings } from './parse-setting.ts'

export interface LoopFlags {
  name?: string
  environment?: string
  data?: string
  environmentOption?: string[]
  base?: string
  revision?: string
  policy?: string
  expert?: string[]
  general?: string[]
  train?: string
  dev?: string
  test?: string
  trainLimit?: number
  devLimit?: number
  testLimit?: number
  rounds?: number
  set?: string[]
  /** `id=text` or `id=@file`. */
  prompt?: string[]
  answerTokens?: number
  promptTokens?: number
  stop?: string[]
  candidates?: number
  checkpointSteps?: number
  metric?: string
  patience?: string
  control?: boolean
  promoteOver?: string
  trainer?: string
  format?: string
  lora?: boolean
  evaluationEpochs?: number
  seed?: number
  maxParallel?: number
  maxRetries?: number
  maxCost?: number
  maxTime?: number
  episodeSteps?: number
}

export function buildLoopRequest(recipe: string, flags: LoopFlags, file: JsonObject = {}): JsonObject {
  const request: JsonObject = { ...file, recipe }
  assign(request, {
    name: flags.name,
    environment: flags.environment,
    data: flags.data,
    base: flags.base === undefined ? undefined : parseBase(flags.base, flags.revision),
    policy: flags.policy === undefined ? undefined : parsePolicy(flags.policy),
    experts: flags.expert,
    general: flags.general,
    candidates: flags.candidates,
    checkpoint_steps: flags.checkpointSteps,
    metric: flags.metric,
    patience: parsePatience(flags.patience),
    control: flags.control,
    promote_over: flags.promoteOver,
    trainer: flags.trainer,
    format: flags.format,
    lora: flags.lora === true && file.lora === undefined ? {} : undefined,
    evaluation_epochs: flags.evaluationEpochs,
    seed: flags.seed,
    max_parallel: flags.maxParallel,
    max_retries: flags.maxRetries,
  })
  const tasks = objectAt(request, 'tasks')
  mergeTasks(tasks, 'train', flags.train, flags.trainLimit)
  mergeTasks(tasks, 'dev', flags.dev, flags.devLimit)
  mergeTasks(tasks, 'test', flags.test, flags.testLimit)
  if (Object.keys(tasks).length > 0) request.tasks = tasks
  merge(request, 'settings', { ...parseSettings(flags.set ?? []), rounds: flags.rounds })
  if (flags.prompt !== undefined) {
    const settings = objectAt(request, 'settings')
    merge(settings, 'prompts', parsePrompts(flags.prompt))
    request.settings = settings
  }
  merge(request, 'environment_options', parseSettings(flags.environmentOption ?? []))
  merge(request, 'model', {
    max_tokens: flags.answerTokens,
    max_prompt_tokens: flags.promptTokens,
    stop: flags.stop?.map((text) => text.replaceAll('\\n', '\n')),
  })
  merge(request, 'limits', { cost: flags.maxCost, time: flags.maxTime })
  merge(request, 'episode_limits', { steps: flags.episodeSteps })
  for (const field of ['environment', 'base'] as const) {
    if (request[field] === undefined) throw wrongUsage(`Give --${field}, or a --file that states "${field}".`)
  }
  return request
}

export function parseBase(text: string, revision?: string): JsonObject {
  if (/^model-/.test(text)) return { registered: text }
  if (/^[./~]/.test(text)) return { folder: text }
  return { hub: text, ...(revision !== undefined && { revision }) }
}

function parsePolicy(text: string): JsonObject {
  const [, endpoint, id] = /^([^:]+):(.+)$/.exec(text) ?? []
  if (endpoint !== undefined && id !== undefined) return { endpoint, id }
  throw wrongUsage(`--policy "${text}" is not a policy. Write endpoint:model, such as local:qwen3-0.6b.`)
}

function parsePatience(text: string | undefined): Json | undefined {
  if (text === undefined || text === 'none') return text === undefined ? undefined : null
  const rounds = Number(text)
  if (Number.isInteger(rounds) && rounds > 0) return rounds
  throw wrongUsage('--patience takes a number of rounds, or none.')
}

function mergeTasks(
  tasks: JsonObject,
  field: string,
  text: string | undefined,
  limit: number | undefined,
): void {
  const [split, range] = text === undefined ? [] : text.split(':')
  merge(tasks, field, { split, range: range === undefined ? undefined : parseRange(range), limit })
}
