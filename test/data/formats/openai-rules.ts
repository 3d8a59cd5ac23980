import { z } from 'zod'

/**
 * What OpenAI checks of an uploaded file before a job begins, as far as its guides say so. Unknown keys are refused.
 *
 * - Supervised: https://developers.openai.com/api/docs/guides/supervised-fine-tuning, "Formatting your data", and
 *   https://cookbook.openai.com/examples/chat_finetuning_data_prep, "Format validation": each line is an object with
 *   `messages`; each message has a known role and text content; at least one is the assistant's, whose `weight` is 0 or 1
 *   (API reference, `FineTuneChatCompletionRequestAssistantMessage`).
 * - Preference: https://developers.openai.com/api/docs/guides/direct-preference-optimization, "Data format": `input` with a
 *   prompt, `preferred_output` and `non_preferred_output`; only one-turn answers are trained on.
 * - Reinforcement: https://developers.openai.com/api/docs/guides/reinforcement-fine-tuning: `messages` that end on the user;
 *   any other key is the grader's.
 */
const called = z
  .array(
    z.strictObject({
      id: z.string().min(1),
      type: z.literal('function'),
      function: z.strictObject({ name: z.string().min(1), arguments: z.string().min(2) }),
    }),
  )
  .length(1)
const plain = z.strictObject({ role: z.enum(['system', 'user']), content: z.string().min(1) })
const answer = z.strictObject({
  role: z.literal('assistant'),
  content: z.string().min(1).optional(),
  tool_calls: called.optional(),
})
const result = z.strictObject({
  role: z.literal('tool'),
  content: z.string(),
  tool_call_id: z.string().min(1),
})
const weighted = answer.extend({ weight: z.union([z.literal(0), z.literal(1)]).optional() })
const before = z
  .array(z.discriminatedUnion('role', [plain, answer, result]))
  .min(1)
  .refine((messages) => messages.at(-1)?.role !== 'assistant', 'ends on the assistant')

export const openaiRules = {
  supervised: z.strictObject({
    tools: z.array(z.unknown()).min(1).optional(),
    parallel_tool_calls: z.boolean().optional(),
    messages: z
      .array(z.discriminatedUnion('role', [plain, weighted, result]))
      .refine((messages) => messages.some(({ role }) => role === 'assistant'), 'has no turn of the assistant')
      .refine(
        (messages) => messages.some((message) => message.role === 'assistant' && message.weight !== 0),
        'learns nothing',
      ),
  }),
  preference: z.strictObject({
    input: z.strictObject({
      messages: before,
      tools: z.array(z.unknown()),
      parallel_tool_calls: z.boolean(),
    }),
    preferred_output: z.array(answer).length(1),
    non_preferred_output: z.array(answer).length(1),
  }),
  reinforcement: z.looseObject({ messages: before }),
}
