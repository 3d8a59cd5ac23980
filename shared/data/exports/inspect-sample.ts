import type { EpisodeResult } from '../../core/contracts/episode.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Run } from '../../core/contracts/run.ts'
import { toInspectUsage, toMessagePool, toModelEvent } from './inspect-events.ts'
import { toInspectConversation } from './inspect-messages.ts'
import type { ExportedEpisode } from './read-episodes.ts'

/** A sample of an Inspect log, and its line of `summaries.json`. Readers open `samples/{id}_epoch_{epoch}.json`. */
export interface InspectSample {
  path: string
  sample: JsonObject
  summary: JsonObject
}

const limitTypes: Record<string, string> = {
  steps: 'custom',
  turns: 'turn',
  tokens: 'token',
  cost: 'cost',
  time: 'working',
}

// The escapes themselves are escaped too, so that no two tasks share an id.
const unnameable = /\\|(?<=^|\/)\.\.(?=\/)|%(?=25|2E|5C)/g

/** A task's id, with percent escapes for the `..` and `\` that a name in a ZIP file must not have. */
export function inspectSampleId(task: string): string {
  return task.replace(unnameable, (text) =>
    text.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  )
}

export function inspectModel({ request: { model } }: Run): string {
  return `${model.endpoint}/${model.id}`
}

/**
 * Converts an ended episode to a sample. Its scores are the environment's reward and whether the task was solved. An
 * episode without a reward has none, and one that ended by a fault, or was cancelled, has an error. Null for an
 * episode that plays no task, or is still running.
 *
 * @param address the service's address; null if unknown: the sample then names the episode only by its path
 */
export function toInspectSample(exported: ExportedEpisode, address: string | null): InspectSample | null {
  const { run, episode, trajectory, calls } = exported
  const { result } = episode
  if (episode.purpose !== 'play' || result === null || result.status !== episode.status) return null
  const model = inspectModel(run)
  const epoch = episode.epoch + 1
  const place = `${run.id}/${episode.id}`
  const conversation = trajectory === null ? [] : toInspectConversation(trajectory, model)
  const firstAnswer = conversation.findIndex(({ role }) => role === 'assistant')
  const input = firstAnswer === -1 ? conversation : conversation.slice(0, firstAnswer)
  const asked = input.length === 0 ? episode.task : input
  const last = conversation.findLast(({ role }) => role === 'assistant')
  const usage = { [model]: toInspectUsage(result.usage) }
  const at = calls?.calls.at(-1)?.at
  const id = inspectSampleId(episode.task)
  const identity = { id, epoch, input: asked, target: '', uuid: place }
  const scores = toScores(result)
  const ended = { ...(scores && { scores }), model_usage: usage, working_time: result.working_seconds }
  const metadata = describe(exported, address)
  const limit = toLimit(run, result)
  const error = errorOf(result)
  const sample: JsonObject = {
    ...identity,
    ...ended,
    messages: conversation,
    output: {
      model,
      choices: last ? [{ message: last, stop_reason: 'stop' }] : [],
      completion: last?.content ?? '',
    },
    metadata,
    events: [
      ...(calls?.calls ?? []).map((call) => toModelEvent(call, model, place)),
      ...(at === undefined ? [] : toScoreEvents(scores, { at, elapsed: result.working_seconds, place })),
    ],
    events_data: { messages: calls === null ? [] : toMessagePool(calls), calls: [] },
    ...(limit && { limit }),
    ...(error && { error: { message: error, traceback: error, traceback_ansi: error } }),
  }
  const summary: JsonObject = {
    ...identity,
    ...ended,
    metadata,
    completed: true,
    message_count: conversation.length,
    retries: episode.errors,
    ...(limit && { limit: limit.type ?? null }),
    ...(error && { error }),
  }
  return { path: `samples/${id}_epoch_${epoch}.json`, sample, summary }
}

function toScores({ reward, success, progress_rate }: EpisodeResult): JsonObject | null {
  if (reward === null) return null
  return {
    reward: { value: reward, ...(progress_rate !== null && { metadata: { progress_rate } }) },
    ...(success !== null && { success: { value: success ? 'C' : 'I' } }),
  }
}

function toScoreEvents(
  scores: JsonObject | null,
  { at, elapsed, place }: { at: string; elapsed: number; place: string },
): JsonObject[] {
  return Object.entries(scores ?? {}).map(([scorer, score]) => {
    return {
      event: 'score',
      uuid: `${place}/score/${scorer}`,
      timestamp: at,
      working_start: elapsed,
      score,
      scorer,
    }
  })
}

function toLimit({ request }: Run, { limit }: EpisodeResult): JsonObject | null {
  if (limit === null) return null
  const bound = (request.episode_limits as Record<string, number | undefined>)[limit]
  return { type: limitTypes[limit] ?? 'custom', limit: bound ?? 0, reason: `episode_limits.${limit}` }
}

function errorOf({ status, error }: EpisodeResult): string | null {
  if (error !== null) return `${error.name}: ${error.message}`
  if (status === 'cancelled') return 'The episode was cancelled.'
  return status === 'errored' ? 'The episode ended with an error.' : null
}

function describe({ run, episode }: ExportedEpisode, address: string | null): JsonObject {
  const path = `/v1/runs/${run.id}/episodes/${episode.id}/tree`
  const { status = null, steps = null, nodes = null, attempt = null } = episode.result ?? {}
  return {
    run: run.id,
    episode: episode.id,
    environment: run.request.environment,
    method: run.request.method.id,
    status,
    steps,
    nodes,
    attempt,
    tree: address === null ? path : new URL(path, address).href,
  }
}
