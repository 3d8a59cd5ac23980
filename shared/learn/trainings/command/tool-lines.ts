import { z } from 'zod'
import {
  trainingPointSchema,
  trainingProgressSchema,
  trainingReasonSchema,
  trainingRowsSchema,
} from '../../../core/contracts/training.ts'

const seconds = z.number().optional()
const step = z.int().min(0)

const toolLineSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('phase'), phase: trainingProgressSchema.shape.phase, seconds }),
  trainingRowsSchema.extend({ event: z.literal('rows'), seconds }),
  z.object({
    event: z.literal('step'),
    step,
    steps: step.default(0),
    tokens: step.default(0),
    seconds,
  }),
  trainingPointSchema.extend({
    event: z.literal('point'),
    steps: step.default(0),
    tokens: step.default(0),
    accuracy: z.number().nullable().default(null),
    learning_rate: z.number().nullable().default(null),
    values: z.record(z.string(), z.number()).default({}),
    seconds,
  }),
  z.object({
    event: z.literal('checkpoint'),
    step,
    // Its folder, if not named by its step, and further folders with files of it.
    folder: z.string().default(''),
    beside: z.array(z.string()).default([]),
    seconds,
  }),
  z.object({ event: z.literal('warning'), message: z.string(), seconds }),
  z.object({ event: z.literal('stopped'), seconds }),
  z.object({
    event: z.literal('failed'),
    reason: trainingReasonSchema.default('trainer_failed'),
    message: z.string(),
    seconds,
  }),
  z.object({
    event: z.literal('succeeded'),
    folder: z.string().optional(),
    format: z.enum(['safetensors', 'adapter']).optional(),
    context_length: z.int().nullable().default(null),
    seconds,
  }),
])

export type ToolLine = z.infer<typeof toolLineSchema>

const nonFinite = z.looseObject({
  event: z.literal('point'),
  step: z.number(),
  loss: z.union([z.null(), z.literal(['nan', 'inf', '-inf', 'NaN', 'Infinity', '-Infinity'])]),
})

const pythonNumbers = /([:[,]\s*)(-?Infinity|NaN)(?=\s*[,}\]])/g

export function readToolLine(line: string): ToolLine | null {
  if (!line.trimStart().startsWith('{')) return null
  let value: unknown
  try {
    value = JSON.parse(line.replaceAll(pythonNumbers, '$1"$2"'))
  } catch {
    return null
  }
  const lost = nonFinite.safeParse(value)
  if (lost.success) return notFinite(lost.data.step)
  const parsed = toolLineSchema.safeParse(value)
  return parsed.success ? parsed.data : null
}

function notFinite(at: number): ToolLine {
  return { event: 'failed', reason: 'not_finite', message: `The loss was not finite at step ${at}.` }
}

export function transformersLines(from: number): (line: string) => ToolLine | null {
  let at = from
  let steps = 0
  return (line) => {
    const [, done, all] = /^\s*\d+%\|[^|]*\|\s*(\d+)\/(\d+) \[/.exec(line) ?? []
    if (all !== undefined) {
      steps = Number(all)
      return { event: 'step', step: Number(done), steps, tokens: 0 }
    }
    const figures = figuresOf(line)
    if (figures === null || figures.loss === undefined) return null
    at += 1
    const { loss, learning_rate = null, num_input_tokens_seen = 0, epoch: _, ...values } = figures
    if (!Number.isFinite(loss)) return notFinite(at)
    const accuracy = values['rewards/accuracies'] ?? values.mean_token_accuracy ?? null
    const finite = Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)))
    return {
      event: 'point',
      step: at,
      steps,
      loss,
      accuracy,
      learning_rate,
      tokens: Math.round(num_input_tokens_seen),
      values: finite,
    }
  }
}

/** `{'loss': 1.5, 'epoch': '0.1'}`, as Python prints a dictionary. */
function figuresOf(line: string): Record<string, number> | null {
  const [, inner] = /\{('[^{}]*)\}\s*$/.exec(line) ?? []
  if (inner === undefined) return null
  const found: Record<string, number> = {}
  for (const [, name = '', text = ''] of inner.matchAll(/'([^']+)':\s*'?([^',]+)'?/g)) {
    const number = /^-?inf/i.test(text) ? Number.POSITIVE_INFINITY : Number(text)
    found[name] = number
  }
  return found
}
