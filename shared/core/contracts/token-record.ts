import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'

export const tokenSourceSchema = z.enum(['vllm', 'sglang', 'llama-cpp', 'logprobs'])

export type TokenSource = z.infer<typeof tokenSourceSchema>

const tokenIdSchema = z.int().nonnegative()

/** The tokens of one answer. Unknown is null, never 0. */
export const answerTokensSchema = z
  .object({
    ids: z
      .array(tokenIdSchema)
      .nullable()
      .describe(
        'Token ids of the answer, including thoughts, calls and the end token; null: the endpoint does not report them.',
      ),
    texts: z.array(z.string()).exactOptional().describe('The tokens as texts, if their ids are unknown.'),
    logprobs: z
      .array(z.number().nullable())
      .nullable()
      .describe(
        'The natural logarithm of each token’s probability, one for each token. An entry is null if unknown; the field is null if all are unknown.',
      ),
  })
  .meta({ id: 'AnswerTokens' })

export type AnswerTokens = z.infer<typeof answerTokensSchema>

/** The exact tokens of one model call, stored beside the journal under the key of the call's effect. */
export const tokenRecordSchema = z
  .object({
    call: z.string().describe('The effect of the call, such as `node/4/proposal`.'),
    model: z.string().describe('Endpoint and model, as `endpoint/model`.'),
    version: z
      .string()
      .nullable()
      .describe(
        'The version of the model’s weights, in the server’s words: SGLang’s `weight_version`, else the model’s name in its answer; null: it does not say.',
      ),
    source: tokenSourceSchema,
    prompting: z
      .enum(['chat', 'tokens'])
      .describe('`chat`: the server tokenized the prompt. `tokens`: it got token ids.'),
    sampler: jsonObjectSchema.describe('The settings of the call that shape its distribution.'),
    prompt_ids: z
      .array(tokenIdSchema)
      .nullable()
      .describe('Token ids of the whole prompt, template included; null: the endpoint does not report them.'),
    answers: z.array(answerTokensSchema).describe('Tokens of each answer, in the order of the answers.'),
    warnings: z
      .array(z.string())
      .describe('Faults in the endpoint’s tokens; faulty tokens count as unknown.'),
  })
  .meta({ id: 'TokenRecord' })

export type TokenRecord = z.infer<typeof tokenRecordSchema>

export const turnVerdictSchema = z
  .object({
    kind: z
      .enum(['continuous', 'forked', 'drifted', 'rewritten', 'absent'])
      .describe(
        '`continuous`: its prompt begins with the previous prompt and answer of its path, or it begins the path. `forked`: the same, but an earlier turn also continues from there. `drifted`: the texts agree and the ids do not. `rewritten`: the text of the earlier turns was changed, for example shortened. `absent`: ids are unknown.',
      ),
    position: z
      .int()
      .nonnegative()
      .exactOptional()
      .describe('If drifted or rewritten: the first position in `prompt_ids` that differs.'),
    previous: z.string().exactOptional().describe('The call whose answer led here.'),
  })
  .meta({ id: 'TurnVerdict' })

export type TurnVerdict = z.infer<typeof turnVerdictSchema>

export const callTokensSchema = tokenRecordSchema
  .extend({
    asked: z.string().describe('Recipient of the call: `policy`, or a role of the run.'),
    node: z.int().nonnegative().nullable().describe('The node that the call is about; null without a tree.'),
    verdict: turnVerdictSchema
      .nullable()
      .describe('Verdict on a turn of the agent; null for any other call, which continues no conversation.'),
  })
  .meta({ id: 'CallTokens' })

export type CallTokens = z.infer<typeof callTokensSchema>

export const episodeTokensSchema = z
  .object({
    object: z.literal('episode_tokens'),
    run: z.string(),
    episode: z.string(),
    calls: z.array(callTokensSchema).describe('The recorded calls, in the order of the journal.'),
    unrecorded: z.int().nonnegative().describe('Number of answered calls without a record.'),
  })
  .meta({ id: 'EpisodeTokens' })

export type EpisodeTokens = z.infer<typeof episodeTokensSchema>
