import type { TrainingPoint, TrainingProgress, TrainingRecipe } from '../../../core/contracts/training.ts'
import { type FineTuningEvent, type FineTuningJob, hasJobEnded } from './api-shapes.ts'

export interface JobFacts {
  job: FineTuningJob
  events: readonly FineTuningEvent[]
  results: string | null
  recipe: TrainingRecipe
  estimate: number
  now: number
}

export interface JobProgress {
  progress: TrainingProgress
  points: TrainingPoint[]
  /** Seconds of work, without waiting and pauses as far as the events show them. */
  seconds: number
  /** Counted by the service, or estimated from the steps done. */
  tokens: number
}

interface Measured {
  at: number | null
  values: Record<string, number>
}

export function readJobProgress(facts: JobFacts): JobProgress {
  const { job, events, estimate, now } = facts
  const measured = measuredSteps(facts)
  const step = Math.max(0, ...measured.keys())
  const steps = totalSteps(facts, step)
  const total = job.trained_tokens ?? estimate
  const tokensAt = (at: number) => (steps === 0 ? 0 : Math.round((total * Math.min(at, steps)) / steps))
  const tokens = job.trained_tokens ?? tokensAt(step)
  const seconds = secondsUntil(facts, job.finished_at ?? (hasJobEnded(job) ? lastAt(events) : now))
  const left = job.estimated_finish === null ? null : Math.max(0, job.estimated_finish - now)
  const points = [...measured]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([at, { at: time, values }]) => {
      const reached = time === null ? (steps === 0 ? 0 : (seconds * at) / steps) : secondsUntil(facts, time)
      const point = toPoint(values, facts.recipe)
      return point === null ? [] : [{ ...point, step: at, seconds: reached, tokens: tokensAt(at) }]
    })
  return {
    progress: {
      phase: phaseOf(job),
      step,
      steps,
      tokens,
      tokens_per_second: seconds > 0 ? tokens / seconds : null,
      seconds_left: hasJobEnded(job) ? null : left,
      waiting_for: null,
    },
    points,
    seconds,
    tokens,
  }
}

function phaseOf({ status }: FineTuningJob): TrainingProgress['phase'] {
  if (status === 'validating_files') return 'checking'
  if (status === 'queued') return 'waiting'
  return status === 'succeeded' ? 'saving' : 'training'
}

function measuredSteps({ events, results }: Pick<JobFacts, 'events' | 'results'>): Map<number, Measured> {
  const found = new Map<number, Measured>()
  for (const { created_at, data } of events) {
    const { step, ...values } = numbersIn(data ?? {})
    if (step !== undefined) found.set(step, { at: created_at, values })
  }
  for (const { step, ...values } of results === null ? [] : readResults(results)) {
    if (step !== undefined) found.set(step, { at: found.get(step)?.at ?? null, values })
  }
  return found
}

function numbersIn(data: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(data).filter(([, value]) => typeof value === 'number' && Number.isFinite(value)),
  ) as Record<string, number>
}

function readResults(text: string): Record<string, number>[] {
  const plain = /^\s*"?step\b/.test(text) ? text : Buffer.from(text, 'base64').toString('utf8')
  const [head = '', ...lines] = plain.trim().split(/\r?\n/)
  const names = head.split(',').map((name) => name.trim().replaceAll('"', ''))
  if (!names.includes('step')) return []
  return lines.map((line) => {
    const cells = line.split(',')
    const entries = names.map((name, index) => [name, cells[index]?.trim()] as const)
    const filled = entries.flatMap(([name, cell]) =>
      cell === undefined || cell === '' ? [] : [[name, Number(cell)] as const],
    )
    return numbersIn(Object.fromEntries(filled))
  })
}

function totalSteps({ events, job }: JobFacts, step: number): number {
  if (job.status === 'succeeded') return step
  for (const { data, message } of events.toReversed()) {
    const total = numbersIn(data ?? {}).total_steps ?? Number(/^Step \d+\/(\d+)/.exec(message)?.[1])
    if (total > 0) return total
  }
  return 0
}

function toPoint(
  values: Record<string, number>,
  recipe: TrainingRecipe,
): Pick<TrainingPoint, 'loss' | 'accuracy' | 'learning_rate' | 'values'> | null {
  const { loss, train_loss = loss, learning_rate = null, total_steps: _, ...others } = values
  if (train_loss === undefined) return null
  // For pairs, the API documents no name for the share of correct rankings.
  const accuracy =
    recipe === 'sft' ? (others.train_mean_token_accuracy ?? others.train_accuracy ?? null) : null
  return { loss: train_loss, accuracy, learning_rate, values: others }
}

/** Seconds of work until a time: from the event that reports the start of training, without pauses. */
function secondsUntil({ events }: Pick<JobFacts, 'events'>, until: number): number {
  let seconds = 0
  let since: number | null = null
  for (const { created_at, data, message } of events) {
    if (created_at > until) break
    const isPause = /\bpaused\b/i.test(message)
    if (isPause && since !== null) {
      seconds += created_at - since
      since = null
    } else if (!isPause && since === null) {
      const begins = /\b(started|resumed)\b/i.test(message) || numbersIn(data ?? {}).step !== undefined
      if (begins) since = created_at
    }
  }
  return since === null ? seconds : seconds + Math.max(0, until - since)
}

function lastAt(events: readonly FineTuningEvent[]): number {
  return events.at(-1)?.created_at ?? 0
}
