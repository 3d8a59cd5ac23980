import type { Dataset } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { LoopStage } from '../../core/contracts/loop.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { Training } from '../../core/contracts/training.ts'
import type { LoopPorts } from './loop-ports.ts'

export interface StageState {
  state: 'running' | 'paused' | 'failed' | 'succeeded'
  reason: string | null
  cost: number | null
  seconds: number
  facts: JsonObject
}

export interface StageLimits {
  cost?: number
  time?: number
}

export async function lookAtStage(parts: LoopPorts, stage: LoopStage): Promise<StageState> {
  switch (stage.object) {
    case 'run':
      return runState(await parts.runs.get(stage.ref))
    case 'dataset':
      return datasetState(parts, await parts.datasets.get(stage.ref))
    case 'training':
      return trainingState(await parts.trainings.get(stage.ref))
    case 'endpoint':
      return { state: 'succeeded', reason: null, cost: 0, seconds: 0, facts: {} }
  }
}

function runState(run: Run): StageState {
  const { episodes, id, status_reason, usage } = run
  const state = {
    cost: usage.cost,
    seconds: run.running_seconds,
    facts: {
      episodes: episodes.total,
      succeeded: episodes.succeeded,
      errored: episodes.errored,
      tokens: usage.input_tokens + usage.output_tokens,
    },
  }
  switch (run.status) {
    case 'succeeded':
      return { ...state, state: 'succeeded', reason: null }
    case 'queued':
    case 'running':
      return { ...state, state: 'running', reason: null }
    case 'paused':
      return {
        ...state,
        state: 'paused',
        reason: `The run ${id} is paused: ${status_reason ?? 'by request.'}`,
      }
    case 'failed':
    case 'cancelled':
      return {
        ...state,
        state: 'failed',
        reason: `The run ${id} ${ended(run.status)}: ${status_reason ?? ''}`,
      }
  }
}

async function datasetState({ runs }: LoopPorts, dataset: Dataset): Promise<StageState> {
  const { annotation_run, id, rows, left_out, gates, tokens } = dataset
  const asked = annotation_run === null ? null : await runs.get(annotation_run)
  const state = {
    cost: asked === null ? 0 : asked.usage.cost,
    seconds: asked?.running_seconds ?? 0,
    facts: { rows, tokens: tokens?.total ?? null, longest: tokens?.longest ?? null, left_out, gates },
  }
  if (dataset.status === 'failed') {
    return { ...state, state: 'failed', reason: `The dataset ${id} failed: ${dataset.error ?? ''}` }
  }
  if (dataset.status === 'succeeded') return { ...state, state: 'succeeded', reason: null }
  if (asked?.status !== 'paused') return { ...state, state: 'running', reason: null }
  const why = asked.status_reason ?? 'by request.'
  return {
    ...state,
    state: 'paused',
    reason: `The run ${asked.id}, which asks a model for the dataset ${id}, is paused: ${why}`,
  }
}

function trainingState(training: Training): StageState {
  const { checkpoints, error, id, metrics, model, progress, rows, usage } = training
  const state = {
    cost: usage.cost,
    seconds: usage.seconds,
    facts: {
      step: progress.step,
      steps: progress.steps,
      loss: metrics?.loss ?? null,
      accuracy: metrics?.accuracy ?? null,
      rows: rows.total,
      tokens: progress.tokens,
      checkpoints: checkpoints.map(({ step }) => step),
      ...(model !== null && { model }),
    },
  }
  switch (training.status) {
    case 'queued':
    case 'running':
      return { ...state, state: 'running', reason: null }
    case 'paused':
      return { ...state, state: 'paused', reason: `The training ${id} is paused: ${error ?? 'by request.'}` }
    case 'failed':
    case 'cancelled':
      return {
        ...state,
        state: 'failed',
        reason: `The training ${id} ${ended(training.status)}: ${error ?? ''}`,
      }
    case 'succeeded':
      return model === null
        ? { ...state, state: 'failed', reason: `The training ${id} succeeded and registered no model.` }
        : { ...state, state: 'succeeded', reason: null }
  }
}

function ended(status: 'failed' | 'cancelled'): string {
  return status === 'failed' ? 'failed' : 'was cancelled'
}

/**
 * Resumes a paused stage, or a failed one if possible, under new caps.
 *
 * @returns false if it cannot resume and must start again
 */
export async function wakeStage(parts: LoopPorts, stage: LoopStage, limits: StageLimits): Promise<boolean> {
  if (stage.object === 'training') {
    const { status } = await parts.trainings.get(stage.ref)
    if (status === 'cancelled') return false
    if (status === 'paused' || status === 'failed') await parts.trainings.resume(stage.ref, { limits })
    return true
  }
  if (stage.object === 'run') {
    const { status } = await parts.runs.get(stage.ref)
    if (status === 'failed' || status === 'cancelled') return false
    if (status === 'paused') await parts.runs.resume(stage.ref, { limits })
    return true
  }
  if (stage.object === 'dataset') {
    const { annotation_run, status } = await parts.datasets.get(stage.ref)
    if (stage.status === 'failed' || status === 'failed') return false
    const asked = annotation_run === null ? null : await parts.runs.get(annotation_run)
    if (asked?.status === 'paused') {
      const cost = limits.cost === undefined ? {} : { cost: limits.cost }
      await parts.runs.resume(asked.id, { limits: cost })
    }
  }
  return true
}

export async function holdStage(parts: LoopPorts, stage: LoopStage): Promise<void> {
  const run = await runOfStage(parts, stage)
  if (run !== null) await unlessEnded(() => parts.runs.pause(run))
  if (stage.object === 'training') await unlessEnded(() => parts.trainings.pause(stage.ref))
}

export async function cancelStage(parts: LoopPorts, stage: LoopStage): Promise<void> {
  const run = await runOfStage(parts, stage)
  if (run !== null) await unlessEnded(() => parts.runs.cancel(run))
  if (stage.object === 'training') await unlessEnded(() => parts.trainings.cancel(stage.ref))
}

async function runOfStage(parts: LoopPorts, { object, ref }: LoopStage): Promise<string | null> {
  if (object === 'run') return ref
  return object === 'dataset' ? (await parts.datasets.get(ref)).annotation_run : null
}

async function unlessEnded(stop: () => Promise<unknown>): Promise<void> {
  try {
    await stop()
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== 'invalid_state') throw error
  }
}
