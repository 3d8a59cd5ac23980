import { z } from 'zod'
import { runLimitsSchema } from './limits.ts'
import { modelChoiceSchema } from './model-choice.ts'

export const callQuestionSchema = z
  .strictObject({
    call: z
      .string()
      .min(1)
      .max(1000)
      .describe('The `key` of the call whose prompt is sent again, such as `node/4/sample/0`.'),
    model: modelChoiceSchema.describe('The model to ask.'),
    limits: runLimitsSchema
      .optional()
      .describe(
        'Limits for the question. Default: twice the maximum price of the call; without a price, twice its tokens.',
      ),
  })
  .meta({ id: 'CallQuestion' })

export type CallQuestion = z.infer<typeof callQuestionSchema>
export type CallQuestionInput = z.input<typeof callQuestionSchema>

export const questionEstimateSchema = z
  .object({
    object: z.literal('question_estimate'),
    prompt_tokens: z.int().describe('Estimated number of tokens in the prompt, never fewer than it has.'),
    answer_tokens: z.int().describe('Maximum length of the answer, in tokens.'),
    cost: z
      .number()
      .nullable()
      .describe('Maximum price of the call in US dollars; null: the endpoint states no price.'),
    limits: runLimitsSchema.describe('The limits at which the question stops.'),
  })
  .meta({ id: 'QuestionEstimate' })

export type QuestionEstimate = z.infer<typeof questionEstimateSchema>
