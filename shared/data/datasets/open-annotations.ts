import type { DatasetRequest } from '../../core/contracts/dataset.ts'
import { episodeId } from '../../core/contracts/episode.ts'
import type { Json } from '../../core/contracts/json.ts'
import { type Run, runRequestSchema } from '../../core/contracts/run.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { annotationModel } from './annotation-model.ts'
import { attemptTask } from './attempt-task.ts'
import type { Attempts } from './attempts.ts'

export interface AnnotationNeeds {
  runs: Pick<Runs, 'annotate' | 'get' | 'episode' | 'journal'>
  attempts: Attempts
  requestOf(dataset: string): Promise<DatasetRequest>
}

export function openAnnotations({ runs, attempts, requestOf }: AnnotationNeeds): Annotations {
  async function toRunRequest(
    dataset: string,
    { kind, limits, model, parameters, runs: sources, seed }: DatasetRequest,
    [asked]: AnnotationRequest['attempts'],
  ) {
    if (asked === undefined) throw new RangeError(`There is nothing to ask about for ${dataset}.`)
    const [first] = sources
    const { environment } = await attempts.open(asked.source, asked.episode)
    // It imports every kind, so it is not loaded at each start.
    const { toAnnotationMethod } = await import('./annotation-method.ts')
    return runRequestSchema.parse({
      name: `asks about dataset ${dataset}`,
      environment,
      tasks: {},
      method: toAnnotationMethod(dataset, { kind, parameters }),
      model: annotationModel(model, first === undefined ? null : (await runs.get(first)).request),
      limits,
      seed,
      metadata: { dataset },
    })
  }

  return {
    async start({ dataset, attempts: asked }) {
      const request = await requestOf(dataset)
      const { id } = await runs.annotate(
        dataset,
        await toRunRequest(dataset, request, asked),
        asked.map(attemptTask),
      )
      return id
    },
    async state(run) {
      return toState(await runs.get(run))
    },
    async read(run, position) {
      const episode = episodeId(position)
      const { status } = await runs.episode(run, episode)
      return status === 'succeeded' ? readAnnotation(await runs.journal(run, episode)) : null
    },
  }
}

function toState({ id, status, status_reason, episodes }: Run): AnnotationState {
  const { total, succeeded, failed, limited, errored, cancelled } = episodes
  const done = succeeded + failed + limited + errored + cancelled
  const state = { reason: null, done, total }
  switch (status) {
    case 'paused': {
      const reason = `The run ${id}, which asks the model, is paused: ${status_reason} Resume the run to go on with the dataset.`
      return { ...state, status: 'paused', reason }
    }
    case 'failed': {
      const reason = `The run ${id}, which asks the model, failed: ${status_reason} Its report lists the errors.`
      return { ...state, status: 'failed', reason }
    }
    case 'cancelled':
      return { ...state, status: 'failed', reason: `The run ${id}, which asks the model, was cancelled.` }
    case 'succeeded':
      return { ...state, status: 'ended' }
    default:
      return { ...state, status: 'going' }
  }
}

export function readAnnotation(records: readonly JournalRecord[]): Map<string, Json> {
  const questions = new Set(
    records.flatMap((record) =>
      'request' in record && 'value' in record && record.value.messages ? record.request : [],
    ),
  )
  const results = new Map<string, Json>()
  for (const record of records) {
    if (!('effect' in record)) continue
    const { effect, request, result } = record
    results.set(effect, questions.has(request) ? textOf(result) : result)
  }
  return results
}

function textOf(result: Json): string {
  const { choices } = result as { choices: { content: string }[] }
  return choices[0]?.content ?? ''
}

interface AnnotationRequest {
  /** The dataset: a second start for the same dataset returns the first run. */
  dataset: string
  attempts: readonly { source: string; episode: string }[]
}

interface AnnotationState {
  status: 'going' | 'paused' | 'ended' | 'failed'
  reason: string | null
  done: number
  total: number
}

export interface Annotations {
  start(request: AnnotationRequest): Promise<string>
  state(run: string): Promise<AnnotationState>
  /**
   * Answers (as texts) and kept values, by their keys, of the attempt at this position; null if that episode produced
   * none.
   */
  read(run: string, position: number): Promise<ReadonlyMap<string, Json> | null>
}
