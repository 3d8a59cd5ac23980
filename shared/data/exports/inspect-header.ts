import type { JsonObject } from '../../core/contracts/json.ts'
import type { Estimate, Report } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'
import { toInspectUsage } from './inspect-events.ts'
import { inspectModel } from './inspect-sample.ts'

export interface LoggedCounts {
  samples: number
  errors: number
  others: number
  unfinished: number
}

const statuses: Partial<Record<Run['status'], string>> = {
  succeeded: 'success',
  failed: 'error',
  cancelled: 'cancelled',
}

/**
 * `header.json` of an Inspect log (version 2): the run's settings, its state, and the means of the scores with their
 * standard errors as in the run's report, clustered by task.
 * @param sampleIds all samples of the run, also those whose episodes have not ended
 */
export function toInspectHeader(
  run: Run,
  report: Report,
  counts: LoggedCounts,
  sampleIds: string[],
): JsonObject {
  const { request } = run
  const model = inspectModel(run)
  const { id: method, ...parameters } = request.method
  const finalStatus = statuses[run.status] ?? 'started'
  return {
    version: 2,
    status: finalStatus,
    eval: {
      eval_id: run.id,
      run_id: run.id,
      task_id: run.id,
      created: run.created_at,
      task: request.environment,
      task_version: 0,
      task_args: request.environment_options ?? {},
      solver: `espalier-${method}`,
      solver_args: parameters,
      dataset: {
        name: request.environment,
        samples: sampleIds.length,
        sample_ids: sampleIds,
        shuffled: false,
      },
      model,
      model_generate_config: {
        ...(typeof request.model.temperature === 'number' && { temperature: request.model.temperature }),
      },
      model_args: {},
      config: { epochs: request.epochs, ...limitsOf(run) },
      packages: {},
      scorers: [{ name: 'reward' }, { name: 'success' }],
      metadata: {
        espalier: {
          run: run.id,
          name: request.name ?? null,
          seed: request.seed,
          ...(request.sampling_seed !== undefined && { sampling_seed: request.sampling_seed }),
          split: request.tasks.split ?? null,
        },
      },
    },
    plan: { name: method, steps: [{ solver: `espalier-${method}`, params: parameters }] },
    results: {
      total_samples: counts.samples,
      completed_samples: counts.samples - counts.errors,
      scores: [toScore('reward', report.reward, counts), toScore('success', report.success_rate, counts)],
      metadata: { episodes_without_a_task: counts.others, episodes_unfinished: counts.unfinished },
    },
    stats: {
      started_at: run.started_at ?? '',
      completed_at: run.ended_at ?? '',
      model_usage: { [model]: toInspectUsage(run.usage) },
    },
    ...(finalStatus === 'error' && { error: toError(run.status_reason ?? 'The run failed.') }),
  }
}

function toScore(name: string, { mean, stderr, count }: Estimate, { samples }: LoggedCounts): JsonObject {
  return {
    name,
    scorer: name,
    scored_samples: count,
    unscored_samples: samples - count,
    params: {},
    metrics: {
      ...(mean !== null && { mean: { name: 'mean', value: mean, params: {} } }),
      ...(stderr !== null && { stderr: { name: 'stderr', value: stderr, params: {} } }),
    },
  }
}

function limitsOf({ request: { episode_limits: limits } }: Run): JsonObject {
  return {
    ...(limits.tokens !== undefined && { token_limit: limits.tokens }),
    ...(limits.turns !== undefined && { turn_limit: limits.turns }),
    ...(limits.cost !== undefined && { cost_limit: limits.cost }),
    ...(limits.time !== undefined && { working_limit: Math.ceil(limits.time) }),
  }
}

function toError(message: string): JsonObject {
  return { message, traceback: message, traceback_ansi: message }
}
