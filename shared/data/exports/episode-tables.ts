import type { Episode } from '../../core/contracts/episode.ts'
import type { Observation } from '../../core/contracts/message.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { ExportedEpisode } from './read-episodes.ts'

export type TableColumnType = 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN'

type Cell = string | number | boolean | null
/** A row of a table, by its columns. Unknown values are null: a number that was not measured is never a zero. */
export type TableRow<Column extends string> = Record<Column, Cell>

const who = { run: 'STRING', episode: 'STRING' } as const

export const episodeColumns = {
  ...who,
  index: 'INT32',
  environment: 'STRING',
  method: 'STRING',
  endpoint: 'STRING',
  model: 'STRING',
  task: 'STRING',
  epoch: 'INT32',
  purpose: 'STRING',
  status: 'STRING',
  reward: 'DOUBLE',
  success: 'BOOLEAN',
  progress_rate: 'DOUBLE',
  grounding_accuracy: 'DOUBLE',
  limit: 'STRING',
  error: 'STRING',
  error_message: 'STRING',
  steps: 'INT32',
  nodes: 'INT32',
  path_length: 'INT32',
  primitive_steps: 'INT32',
  invalid_actions: 'INT32',
  model_calls: 'INT32',
  input_tokens: 'DOUBLE',
  cached_tokens: 'DOUBLE',
  output_tokens: 'DOUBLE',
  reasoning_tokens: 'DOUBLE',
  cost: 'DOUBLE',
  working_seconds: 'DOUBLE',
  attempt: 'INT32',
  errors: 'INT32',
} as const satisfies Record<string, TableColumnType>

export const stepColumns = {
  ...who,
  task: 'STRING',
  epoch: 'INT32',
  node: 'INT32',
  parent: 'INT32',
  depth: 'INT32',
  on_path: 'BOOLEAN',
  action: 'STRING',
  message: 'STRING',
  observation: 'STRING',
  reward: 'DOUBLE',
  done: 'BOOLEAN',
  terminal: 'BOOLEAN',
  valid: 'BOOLEAN',
  progress: 'DOUBLE',
  visits: 'INT32',
  value: 'DOUBLE',
  prior: 'DOUBLE',
  state_hash: 'STRING',
} as const satisfies Record<string, TableColumnType>

export const callColumns = {
  ...who,
  task: 'STRING',
  epoch: 'INT32',
  call: 'INT32',
  effect: 'STRING',
  node: 'INT32',
  role: 'STRING',
  model: 'STRING',
  at: 'STRING',
  elapsed: 'DOUBLE',
  prompt_messages: 'INT32',
  answers: 'INT32',
  answer: 'STRING',
  finish_reason: 'STRING',
  fault: 'STRING',
  input_tokens: 'INT32',
  cached_tokens: 'INT32',
  output_tokens: 'INT32',
  reasoning_tokens: 'INT32',
  cost: 'DOUBLE',
} as const satisfies Record<string, TableColumnType>

export function toEpisodeRow({ run, episode }: ExportedEpisode): TableRow<keyof typeof episodeColumns> {
  const { result } = episode
  const usage = result?.usage
  const { request } = run
  return {
    ...nameOf(run, episode),
    index: episode.index,
    environment: request.environment,
    method: request.method.id,
    endpoint: request.model.endpoint,
    model: request.model.id,
    purpose: episode.purpose,
    status: episode.status,
    reward: result?.reward ?? null,
    success: result?.success ?? null,
    progress_rate: result?.progress_rate ?? null,
    grounding_accuracy: result?.grounding_accuracy ?? null,
    limit: result?.limit ?? null,
    error: result?.error?.name ?? null,
    error_message: result?.error?.message ?? null,
    steps: result?.steps ?? null,
    nodes: result?.nodes ?? null,
    path_length: result?.path_length ?? null,
    primitive_steps: result?.primitive_steps ?? null,
    invalid_actions: result?.invalid_actions ?? null,
    model_calls: usage?.model_calls ?? null,
    input_tokens: usage?.input_tokens ?? null,
    cached_tokens: usage ? (usage.cached_tokens ?? 0) : null,
    output_tokens: usage?.output_tokens ?? null,
    reasoning_tokens: usage ? (usage.reasoning_tokens ?? 0) : null,
    cost: usage?.cost ?? null,
    working_seconds: result?.working_seconds ?? null,
    attempt: result?.attempt ?? null,
    errors: episode.errors,
  }
}

export function toStepRows({ run, episode, tree }: ExportedEpisode): TableRow<keyof typeof stepColumns>[] {
  if (tree === null) return []
  const path = new Set<number>()
  for (let at: number | null = tree.best; at !== null; at = tree.nodes[at]?.parent ?? null) path.add(at)
  return tree.nodes.slice(1).map((node, offset) => {
    const { observation, parent, depth, action, message, reward, done, terminal, visits, value, prior } = node
    return {
      ...nameOf(run, episode),
      node: offset + 1,
      parent,
      depth,
      on_path: path.has(offset + 1),
      action,
      message,
      observation: textOf(observation),
      reward,
      done,
      terminal,
      valid: node.valid ?? null,
      progress: node.progress ?? null,
      visits,
      value,
      prior,
      state_hash: node.state_hash,
    }
  })
}

export function toCallRows({ run, episode, calls }: ExportedEpisode): TableRow<keyof typeof callColumns>[] {
  return (calls?.calls ?? []).map((call, index) => {
    const { usage, endings } = call
    return {
      ...nameOf(run, episode),
      call: index,
      effect: call.key,
      node: call.node,
      role: call.asked,
      model: call.model,
      at: call.at,
      elapsed: call.elapsed,
      prompt_messages: call.prompt.length,
      answers: call.answers.length,
      answer: call.answers[0] ?? null,
      finish_reason: endings[0]?.finish_reason ?? null,
      fault: endings.find(({ fault }) => fault !== null)?.fault ?? null,
      input_tokens: usage?.input_tokens ?? null,
      cached_tokens: usage ? (usage.cached_tokens ?? 0) : null,
      output_tokens: usage?.output_tokens ?? null,
      reasoning_tokens: usage ? (usage.reasoning_tokens ?? 0) : null,
      cost: usage?.cost ?? null,
    }
  })
}

function nameOf(run: Run, { id, task, epoch }: Episode) {
  return { run: run.id, episode: id, task, epoch }
}

function textOf(observation: Observation): string {
  return observation
    .map((part) => (part.type === 'text' ? part.text : `[picture ${part.media_type} sha256:${part.sha256}]`))
    .join('\n')
}
