import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMoney,
  noNumber,
} from '../shared/core/client/format-quantity.ts'
import { workWord } from '../shared/core/client/status-words.ts'
import type { Training, TrainingRecipeInfo } from '../shared/core/contracts/training.ts'
import { formatTable } from './format-table.ts'

export function trainingLine({ status, progress, metrics, usage }: Training): string {
  const { phase, step, steps, tokens_per_second, seconds_left, waiting_for } = progress
  const parts = [
    status === 'running' ? phase : workWord(status),
    waiting_for === null || !isOpen(status) ? null : `waits for ${waiting_for}`,
    steps > 0 ? `${step}/${steps}` : null,
    metrics === null ? null : `loss ${metrics.loss.toFixed(4)}`,
    metrics?.accuracy == null ? null : `accuracy ${metrics.accuracy.toFixed(3)}`,
    tokens_per_second === null ? null : `${formatCount(Math.round(tokens_per_second))} tokens/s`,
    seconds_left === null || status !== 'running' ? null : `${formatDuration(seconds_left)} left`,
    usage.cost > 0 ? formatMoney(usage.cost) : null,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

const isOpen = (status: Training['status']) => status === 'queued' || status === 'running'

export function describeTraining(training: Training): string[] {
  const { id, request, rows, usage, checkpoints, model, error, warnings, log_tail, status } = training
  const { base } = request
  const name = 'registered' in base ? base.registered : 'hub' in base ? base.hub : base.folder
  const datasets = rows.by_dataset.map(
    ({ dataset, split, used }) => `${dataset} (${split}, ${formatCount(used)} rows)`,
  )
  const lengths =
    rows.longest === null || rows.tokens === null
      ? null
      : `${formatCount(rows.total)} rows · ${formatCount(rows.tokens)} tokens, ${formatCount(rows.learned_tokens ?? 0)} learned · longest ${formatCount(rows.longest)} · ${formatCount(rows.truncated ?? 0)} truncated · ${formatCount(rows.dropped ?? 0)} dropped`
  return [
    `${id}  ${trainingLine(training)}`,
    `  ${request.recipe}${request.lora === null ? '' : `, lora of rank ${request.lora.rank}`} on ${name}`,
    ...(datasets.length > 0 ? [`  data: ${datasets.join(', ')}`] : []),
    ...(lengths === null ? [] : [`  ${lengths}`]),
    `  ${formatDuration(usage.seconds)} of work, ${formatMoney(usage.cost)}, started ${usage.starts} times`,
    ...checkpoints.map(
      ({ step, bytes, sha256 }) => `  checkpoint ${step}: ${formatBytes(bytes)}, ${sha256.slice(0, 12)}`,
    ),
    ...(model === null ? [] : [`  model: ${model}`]),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...(error === null ? [] : [`  ${error}`]),
    ...(status === 'failed' && log_tail.length > 0
      ? ['  The trainer’s last lines:', ...log_tail.slice(-8).map((line) => `    ${line}`)]
      : []),
  ]
}

export function formatTrainings(trainings: Training[], width: number): string[] {
  if (trainings.length === 0) return ['No trainings yet. Begin one: espalier train --help']
  const columns = [
    { header: 'training' },
    { header: 'status' },
    { header: 'name', flexible: true },
    { header: 'recipe' },
    { header: 'step', align: 'right' as const },
    { header: 'loss', align: 'right' as const },
    { header: 'model' },
  ]
  const rows = trainings.map(({ id, status, name, request, progress, metrics, model }) => [
    id,
    status === 'running' ? progress.phase : workWord(status),
    name ?? noNumber,
    request.recipe,
    progress.steps > 0 ? `${progress.step}/${progress.steps}` : noNumber,
    metrics === null ? noNumber : metrics.loss.toFixed(4),
    model ?? noNumber,
  ])
  return formatTable(columns, rows, width)
}

export function formatRecipe({
  id,
  description,
  source,
  kinds,
  hyperparameters,
}: TrainingRecipeInfo): string[] {
  const properties = Object.entries(
    (hyperparameters.properties ?? {}) as Record<string, Record<string, unknown>>,
  )
  return [
    `${id}: ${description}`,
    `  from ${source}`,
    `  kinds of datasets: ${kinds.join(', ')}`,
    ...properties.map(([name, { default: value, description: text }]) => {
      const says = typeof text === 'string' ? `  ${text}` : ''
      return `  ${name} = ${JSON.stringify(value ?? null)}${says}`
    }),
  ]
}
