import { z } from 'zod'
import { requestOptionsSchema } from './request-options.ts'

/**
 * The default maximum answer of the simulated model, in tokens; of every model in runs from before the default of
 * 4,096.
 */
export const simulatedAnswerTokens = 512

/** The default maximum prompt, in tokens; for a served model, the context left beside the answer. */
export const usualPromptTokens = 32_000

/** In place of a registered model: prompts are counted by their bytes. */
export const estimatedTokens = 'estimate'

/** The answering model, by the name of a configured endpoint; a run never carries a key. */
export const modelChoiceSchema = z
  .strictObject({
    endpoint: z
      .string()
      .min(1)
      .describe(
        'The name of a configured endpoint; GET /v1/models lists them. Several form a pool, with their shares of the episodes: `openai=2,azure`.',
      ),
    id: z.string().min(1).describe('The model, as its endpoint calls it.'),
    temperature: z.number().min(0).max(2).default(1),
    top_p: z.number().gt(0).max(1).default(1),
    max_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        'Maximum length of an answer in tokens, thoughts included. Default: 4,096; 512 for the simulated model. A run records the value used.',
      ),
    max_prompt_tokens: z
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .describe(
        'Maximum length of a prompt in tokens; longer ones lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
      ),
    tokenizer: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'The registered model whose tokenizer and chat template count prompts, or `estimate`: three bytes for a token. Default: the model itself if the service serves it, else `estimate`. A run records it.',
      ),
    max_pictures: z
      .int()
      .min(0)
      .max(64)
      .optional()
      .describe(
        'Maximum number of pictures in a prompt, the newest ones; 0: no pictures. Default: 4, as in VisualWebArena.',
      ),
    reasoning_effort: z
      .string()
      .regex(/^[a-z]{1,20}$/, 'must be one word in lower case, such as low')
      .optional()
      .describe(
        'Amount of thinking of a reasoning model, in the endpoint’s terms: OpenAI knows none, minimal, low, medium, high and xhigh. If absent, calls do not send it.',
      ),
    reasoning: z
      .enum(['keep', 'last_turn', 'drop'])
      .optional()
      .describe(
        'Thoughts of earlier answers to send back to the agent’s model, if the endpoint returned them in a separate field: all, those of the last turn, or none. Default: all if it calls tools, as their providers demand; else none.',
      ),
    request: requestOptionsSchema
      .optional()
      .describe(
        'Further fields of each request, such as top_k or chat_template_kwargs, for this model alone. Those of its endpoint are added. A run records both.',
      ),
    prompting: z
      .enum(['chat', 'tokens'])
      .optional()
      .describe(
        '`tokens`: the agent’s prompts are rendered here with the chat template of `tokenizer` and sent as token ids, and each answer’s own ids stay in the next prompt, so that nothing is tokenized twice. The run then records tokens. Default: `chat`.',
      ),
    stop: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(4)
      .optional()
      .describe(
        'Stop sequences: an answer ends before the first of these texts. Those of `model` apply to the policy only; each role sets its own.',
      ),
  })
  .meta({ id: 'ModelChoice' })

/** The model of a role: unset fields come from `model`. */
export const roleChoiceSchema = z
  .strictObject({
    endpoint: modelChoiceSchema.shape.endpoint.optional(),
    id: modelChoiceSchema.shape.id.optional(),
    temperature: modelChoiceSchema.shape.temperature.unwrap().optional(),
    top_p: modelChoiceSchema.shape.top_p.unwrap().optional(),
    max_tokens: modelChoiceSchema.shape.max_tokens.unwrap().optional(),
    max_prompt_tokens: modelChoiceSchema.shape.max_prompt_tokens,
    tokenizer: modelChoiceSchema.shape.tokenizer,
    max_pictures: modelChoiceSchema.shape.max_pictures.unwrap().optional(),
    reasoning_effort: modelChoiceSchema.shape.reasoning_effort.unwrap().optional(),
    request: modelChoiceSchema.shape.request,
    stop: modelChoiceSchema.shape.stop,
  })
  .meta({ id: 'RoleChoice' })

export type RoleChoice = z.infer<typeof roleChoiceSchema>
export type ModelChoice = z.infer<typeof modelChoiceSchema>
export type CompleteModelChoice = ModelChoice & { max_tokens: number; max_prompt_tokens: number }

export const roleSchema = z.enum([
  'value',
  'debate',
  'reflection',
  'learner',
  'verifier',
  'judge',
  'captioner',
  'embedding',
])

export type Role = z.infer<typeof roleSchema>
