import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { asSetting, flagWord, writeCommand } from './command-words.ts'
import { quoteForShell } from './quote-for-shell.ts'
import { isPlainText, safeJson } from './safe-json.ts'

const flags: Record<string, Record<string, string>> = {
  '': {
    name: '--name',
    experiment: '--experiment',
    note: '--note',
    preset: '--preset',
    environment: '--environment',
    data: '--data',
    hosting: '--hosting',
    epochs: '--epochs',
    seed: '--seed',
    sampling_seed: '--sampling-seed',
    max_parallel: '--max-parallel',
    max_retries: '--max-retries',
  },
  tasks: { split: '--split', limit: '--limit' },
  model: {
    id: '--model',
    endpoint: '--endpoint',
    temperature: '--temperature',
    top_p: '--top-p',
    max_tokens: '--answer-tokens',
    max_prompt_tokens: '--prompt-tokens',
    tokenizer: '--tokenizer',
    max_pictures: '--max-pictures',
    reasoning_effort: '--reasoning-effort',
  },
  limits: { cost: '--max-cost', tokens: '--max-tokens', time: '--max-time' },
  episode_limits: {
    steps: '--episode-steps',
    turns: '--episode-turns',
    tokens: '--episode-tokens',
    cost: '--episode-cost',
    time: '--episode-time',
  },
}

const mostWords = 80

type Flag = [flag: string, value: string]

export function cliCommand(request: JsonObject, service: string): string {
  const start = ['espalier run --service', quoteForShell(service)].join(' ')
  const words = toFlags(request)
  if (words === null || words.length * 2 > mostWords || !words.every(([, value]) => isPlainText(value))) {
    return `${start} --file - <<'RUN'\n${safeJson(request)}\nRUN`
  }
  return writeCommand(start, words.map(flagWord))
}

function toFlags(request: JsonObject): Flag[] | null {
  const {
    environment,
    environment_options,
    method,
    model,
    roles,
    prompts,
    tags,
    tasks,
    metadata,
    ...others
  } = request
  const parts: (Flag[] | null)[] = [
    plain('', { environment: environment ?? '' }),
    settings('--environment-option', objectOf(environment_options)),
    taskFlags(objectOf(tasks)),
    methodFlags(objectOf(method)),
    modelFlags(objectOf(model)),
    ...Object.entries(objectOf(roles)).map(([role, choice]) => roleFlags(role, objectOf(choice))),
    ...Object.entries(objectOf(prompts)).map(([id, text]) => promptFlag(id, text)),
    plain('limits', objectOf(others.limits)),
    plain('episode_limits', objectOf(others.episode_limits)),
    plain('', Object.fromEntries(Object.entries(others).filter(([name]) => !name.endsWith('limits')))),
    settings('--metadata', objectOf(metadata)),
    (Array.isArray(tags) ? tags : []).map((tag): Flag => ['--tag', String(tag)]),
  ]
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? [])
}

function plain(part: string, values: JsonObject): Flag[] | null {
  const found = Object.entries(values).map(([name, value]): Flag | null => {
    const flag = flags[part]?.[name]
    if (flag === undefined || typeof value === 'object' || value === '') return null
    const isText = textFields.has(name)
    return isText === (typeof value === 'string') ? [flag, String(value)] : null
  })
  return found.includes(null) ? null : found.flatMap((each) => (each === null ? [] : [each]))
}

const textFields = new Set([
  'name',
  'experiment',
  'note',
  'preset',
  'environment',
  'data',
  'hosting',
  'split',
  'id',
  'endpoint',
  'reasoning_effort',
])

function modelFlags({ request, ...others }: JsonObject): Flag[] | null {
  const said = plain('model', others)
  const set = settings('--request', objectOf(request))
  return said === null || set === null ? null : [...said, ...set]
}

function generationFlags({ count, generator, seed, split, ...bounds }: JsonObject): Flag[] | null {
  const set = settings('--bound', bounds)
  if (typeof count !== 'number' || set === null) return null
  const said: [flag: string, value: Json | undefined][] = [
    ['--generate', count],
    ['--generator', generator],
    ['--generate-seed', seed],
    ['--split', split],
  ]
  return [
    ...said.flatMap(([flag, value]): Flag[] => (value === undefined ? [] : [[flag, String(value)]])),
    ...set,
  ]
}

function taskFlags({ generate, ids, range, types, ...others }: JsonObject): Flag[] | null {
  const each = (flag: string, values: Json | undefined): Flag[] =>
    Array.isArray(values) ? values.map((value) => [flag, String(value)]) : []
  const isRange =
    range === undefined ||
    (Array.isArray(range) &&
      range.length === 2 &&
      range.every((at) => Number.isInteger(at) && Number(at) >= 0))
  const known = plain('tasks', others)
  // Without a split, these filters would apply to the test split.
  const isNamed = others.split !== undefined || ids !== undefined || generate !== undefined
  const generated = generate === undefined ? [] : generationFlags(objectOf(generate))
  if (
    !isRange ||
    known === null ||
    generated === null ||
    !(isNamed || (types === undefined && range === undefined && others.limit === undefined))
  )
    return null
  return [
    ...generated,
    ...known,
    ...each('--task', ids),
    ...each('--type', types),
    ...(Array.isArray(range) ? [['--range', range.join('-')] as Flag] : []),
  ]
}

function methodFlags({ id, ...parameters }: JsonObject): Flag[] | null {
  const set = settings('--set', parameters)
  return typeof id !== 'string' || id === '' || set === null ? null : [['--method', id], ...set]
}

function settings(flag: string, values: JsonObject): Flag[] | null {
  const entries = Object.entries(values)
  if (entries.some(([name]) => name === '' || name.includes('='))) return null
  return entries.map(([name, value]) => [flag, `${name}=${asSetting(value)}`])
}

function roleFlags(role: string, choice: JsonObject): Flag[] | null {
  const entries = Object.entries(choice)
  if (/[=.]/.test(role) || entries.some(([, value]) => value === '')) return null
  return entries.map(([name, value]) => ['--role', `${role}.${name}=${asSetting(value)}`])
}

/** The CLI would read a text starting with `@` as a file name, and would trim trailing blanks. */
function promptFlag(id: string, text: Json): Flag[] | null {
  const isSayable =
    typeof text === 'string' && !text.startsWith('@') && text === text.trimEnd() && !/=|^$/.test(id)
  return isSayable ? [['--prompt', `${id}=${text}`]] : null
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
