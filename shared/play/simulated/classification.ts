import { z } from 'zod'
import type { Message } from '../../core/contracts/message.ts'
import { createRandom } from '../../core/random/random.ts'
import { estimateTextTokens } from '../models/estimate-tokens.ts'
import { parseFlatMessages } from '../models/flatten-messages.ts'
import { readTranscript } from './questions/read-transcript.ts'
import { fallible, gradeState, type VerdictLetter } from './questions/verdict.ts'
import { withoutAdvice } from './questions/without-advice.ts'
import { digestPrompt, type SimulatedSettings } from './simulated-policy.ts'

/** ExACT's scale of states, as a trained value model would have learned it. */
const values: Readonly<Record<VerdictLetter, number>> = { A: 1, B: 0.7, C: 0.5, D: -0.2, E: -1 }

export const classificationRequestSchema = z.object({ model: z.string().min(1), input: z.string().min(1) })

export type ClassificationRequest = z.infer<typeof classificationRequestSchema>

export function createClassification({ model, input }: ClassificationRequest, settings: SimulatedSettings) {
  const prompt_tokens = estimateTextTokens([input])
  const value = simulatedScore(parseFlatMessages(input), settings)
  return {
    id: 'classify-simulated',
    object: 'list',
    created: 0,
    model,
    data: [{ index: 0, label: 'value', probs: [value], num_classes: 1 }],
    usage: { prompt_tokens, total_tokens: prompt_tokens, completion_tokens: 0 },
  }
}

export function simulatedScore(messages: readonly Message[], settings: SimulatedSettings): number {
  const random = createRandom(digestPrompt(messages, settings.seed))
  const clear = withoutAdvice(messages)
  const shown = clear.findLast(({ role }) => role !== 'assistant')?.content ?? ''
  const right = gradeState(readTranscript(shown) ?? clear)
  return right === null ? random() * 2 - 1 : values[fallible(right, settings.skill, random)]
}
