import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import {
  type TrainingPoint,
  type TrainingProgress,
  type TrainingReason,
  type TrainingRows,
  trainingPointSchema,
  trainingProgressSchema,
  trainingReasonSchema,
  trainingRowsSchema,
} from '../../../core/contracts/training.ts'

const at = { seconds: z.number() }

const eventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('started'), pid: z.int(), job: z.string().nullable().default(null), ...at }),
  // Written by the driver if the file of earlier starts is gone.
  z.object({ event: z.literal('earlier'), starts: z.int(), ...at }),
  // The driver writes these too, for trainers that report no time.
  z.object({ event: z.literal('clock'), ...at }),
  z.object({ event: z.literal('phase'), phase: trainingProgressSchema.shape.phase, ...at }),
  trainingRowsSchema.extend({ event: z.literal('rows'), ...at }),
  z.object({ event: z.literal('step'), step: z.int(), steps: z.int(), tokens: z.int(), ...at }),
  trainingPointSchema.extend({ event: z.literal('point'), steps: z.int() }),
  z.object({ event: z.literal('checkpoint'), step: z.int(), folder: z.string(), ...at }),
  z.object({ event: z.literal('warning'), message: z.string(), ...at }),
  z.object({ event: z.literal('stopped'), ...at }),
  z.object({ event: z.literal('failed'), reason: trainingReasonSchema, message: z.string(), ...at }),
  z.object({
    event: z.literal('succeeded'),
    folder: z.string(),
    format: z.enum(['safetensors', 'adapter']).default('safetensors'),
    context_length: z.int().nullable(),
    ...at,
  }),
])

export interface ReportedProgress {
  progress: TrainingProgress
  rows: TrainingRows | null
  points: TrainingPoint[]
  seconds: number
  starts: number
  job: string | null
  warnings: string[]
  end:
    | null
    | { state: 'stopped' }
    | { state: 'failed'; reason: TrainingReason; message: string }
    | { state: 'succeeded'; folder: string; format: 'safetensors' | 'adapter'; context_length: number | null }
}

/**
 * Reads the file of a training's progress; null if it was never started. A last line cut short by a kill is omitted.
 */
export async function readProgress(path: string): Promise<ReportedProgress | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const lines = text.split('\n')
  const events = lines.flatMap((line) => {
    if (line === '') return []
    const parsed = parseLine(line)
    return parsed === null ? [] : [parsed]
  })
  return summarise(events)
}

type Event = z.infer<typeof eventSchema>

/** Ignores a line that joins a killed line with the next start's first. */
function parseLine(line: string): Event | null {
  try {
    return eventSchema.parse(JSON.parse(line))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}

function summarise(events: readonly Event[]): ReportedProgress {
  const points = new Map<number, TrainingPoint>()
  const warnings: string[] = []
  const progress: TrainingProgress = {
    phase: 'starting',
    step: 0,
    steps: 0,
    tokens: 0,
    tokens_per_second: null,
    seconds_left: null,
    waiting_for: null,
  }
  let rows: TrainingRows | null = null
  let end: ReportedProgress['end'] = null
  let starts = 0
  let job: string | null = null
  let before = 0
  let now = 0
  let from: { step: number; tokens: number; seconds: number } | null = null
  for (const event of events) {
    if (event.event === 'earlier') {
      before += event.seconds
      starts += event.starts
      continue
    }
    if (event.event === 'started') {
      before += now
      now = 0
      starts += 1
      job = event.job
      end = null
      from = null
      progress.phase = 'starting'
      continue
    }
    now = Math.max(now, event.seconds)
    switch (event.event) {
      case 'phase':
        progress.phase = event.phase
        break
      case 'rows': {
        const { event: _, seconds: __, ...facts } = event
        rows = facts
        break
      }
      case 'point': {
        const { event: _, steps, ...point } = event
        // The trainer logs points after its checkpoint again.
        for (const step of points.keys()) if (step > point.step) points.delete(step)
        points.set(point.step, { ...point, seconds: before + point.seconds })
        advance(event.step, steps, event.tokens, event.seconds)
        break
      }
      case 'step':
        advance(event.step, event.steps, event.tokens, event.seconds)
        break
      case 'warning':
        warnings.push(event.message)
        break
      case 'stopped':
        end = { state: 'stopped' }
        break
      case 'failed':
        end = { state: 'failed', reason: event.reason, message: event.message }
        break
      case 'succeeded': {
        const { folder, format, context_length } = event
        end = { state: 'succeeded', folder, format, context_length }
        break
      }
      case 'checkpoint':
        progress.step = Math.max(progress.step, event.step)
    }
  }
  return {
    progress,
    rows,
    points: [...points.values()],
    seconds: before + now,
    starts,
    job,
    warnings,
    end,
  }

  function advance(step: number, steps: number, tokens: number, seconds: number): void {
    from ??= { step, tokens, seconds }
    const [done, took] = [step - from.step, seconds - from.seconds]
    Object.assign(progress, { step, steps, tokens })
    if (done <= 0 || took <= 0) return
    progress.tokens_per_second = (tokens - from.tokens) / took
    progress.seconds_left = ((steps - step) * took) / done
  }
}

export function stepOfCheckpoint(folder: string): number | null {
  const [, step] = /^checkpoint-(\d+)$/.exec(basename(folder)) ?? []
  return step === undefined ? null : Number(step)
}
