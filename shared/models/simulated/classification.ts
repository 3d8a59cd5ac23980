import { z } from 'zod'
import { estimateTextTokens } from '../estimate-tokens.ts'
import { parseFlatMessages } from '../flatten-messages.ts'
import type { SimulatedSettings } from './simulated-policy.ts'
import { simulatedScore } from './simulated-score.ts'

/** The body of `POST /classify` for one text, as vLLM takes it. */
export const classificationRequestSchema = z.object({ model: z.string().min(1), input: z.string().min(1) })

export type ClassificationRequest = z.infer<typeof classificationRequestSchema>

/** The answer to a request, in the format of vLLM's Classification API for a model with one label. */
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
