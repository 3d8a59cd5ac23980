import { z } from 'zod'
import { runLimitsSchema } from './limits.ts'
import { modelChoiceSchema } from './model-choice.ts'

export const callQuestionSchema = z
  .strictObject({
    call: z
      .string()
      .min(1)
      .max(1000)
      .describe('The call whose prompt is sent again, by its `key`, such as `node/4/sample/0`.'),
    model: modelChoiceSchema.describe('The model that is asked.'),
    limits: runLimitsSchema
      .optional()
      .describe(
        'Limits for the question. Default: twice the highest price of the call, or its tokens without a price.',
      ),
  })
  .meta({ id: 'CallQuestion' })

export type CallQuestion = z.infer<typeof callQuestionSchema>
export type CallQuestionInput = z.input<typeof callQuestionSchema>

export const questionEstimateSchema = z
  .object({
    object: z.literal('question_estimate'),
    prompt_tokens: z.int().describe('Estimated, and no fewer than the prompt has.'),
    answer_tokens: z.int().describe('The longest answer.'),
    cost: z
      .number()
      .nullable()
      .describe('The highest price of the call in US dollars; null: the endpoint states no price.'),
    limits: runLimitsSchema.describe('The limits at which the question stops.'),
  })
  .meta({ id: 'QuestionEstimate' })

export type QuestionEstimate = z.infer<typeof questionEstimateSchema>
