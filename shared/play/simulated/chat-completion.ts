import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Message, type MessageCall, messageCallSchema } from '../../core/contracts/message.ts'
import { createRandom } from '../../core/random/random.ts'
import { estimatePromptTokens, estimateTokens, estimateToolTokens } from '../models/estimate-tokens.ts'
import { describePicture } from './pictures/describe-picture.ts'
import { readPicture } from './pictures/read-picture.ts'
import { answerPrompt, type Sample, type SimulatedSettings, seedOf } from './simulated-policy.ts'
import { callTool, readOfferedTools, writeAsText } from './tool-calls.ts'

const contentSchema = z.union([
  z.string().transform((text) => ({ text, pictures: [] as string[] })),
  z
    .array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        image_url: z.looseObject({ url: z.string() }).optional(),
      }),
    )
    .transform((parts) => ({
      text: parts.map(({ text }) => text ?? '').join('\n'),
      pictures: parts.flatMap(({ image_url }) => image_url?.url ?? []),
    })),
  z.null().transform(() => ({ text: '', pictures: [] as string[] })),
])

export const chatCompletionRequestSchema = z.object({
  model: z.string().min(1),
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content: contentSchema.optional().transform((content) => content ?? { text: '', pictures: [] }),
        tool_calls: z.array(messageCallSchema).nullish(),
      }),
    )
    .min(1),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({
          name: z.string(),
          description: z.string().default(''),
          parameters: z.record(z.string(), z.json()).default({}),
        }),
      }),
    )
    .nullish(),
  n: z.int().min(1).max(128).default(1),
  seed: z.int().nullish(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
})

export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>

export interface SimulatedCompletion {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  system_fingerprint: string
  choices: {
    index: number
    message: { role: 'assistant'; content: string | null; refusal: null; tool_calls?: MessageCall[] }
    logprobs: null
    finish_reason: 'stop' | 'length' | 'tool_calls'
  }[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

/**
 * The answer to a request in OpenAI's format. The same settings and request give the same answer, including its time.
 *
 * @param sample - the sample number, if the request has no seed and a temperature above 0
 */
export function createCompletion(
  request: ChatCompletionRequest,
  settings: SimulatedSettings,
  sample: () => number,
): SimulatedCompletion {
  const tools = readOfferedTools(request.tools ?? [])
  const messages = request.messages.map(
    ({ role, content, tool_calls }): Message => ({
      role: plainRole(role),
      content: role === 'assistant' ? writeAsText(content.text, tool_calls ?? [], tools) : content.text,
    }),
  )
  const pictures = request.messages.at(-1)?.content.pictures ?? []
  const longest = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY
  const stops = typeof request.stop === 'string' ? [request.stop] : (request.stop ?? [])
  const seed = request.seed ?? (request.temperature === 0 ? 0 : sample())
  const answers = Array.from({ length: request.n }, (_, choice) => {
    const text =
      answerAboutPicture(messages, pictures, settings, { seed, choice }) ??
      answerPrompt(messages, settings, { seed, choice })
    return cut(text, longest, stops)
  })
  const offered = (request.tools ?? []).map(({ function: { name, description, parameters: schema } }) => ({
    name,
    description,
    schema,
  }))
  const prompt_tokens = estimatePromptTokens(messages) + estimateToolTokens(offered)
  const completion_tokens = answers.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    id: `chatcmpl-${createHash('sha1')
      .update(answers[0]?.text ?? '')
      .digest('hex')
      .slice(0, 24)}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    system_fingerprint: 'espalier-simulated',
    choices: answers.map(({ text, finish_reason }, index) => {
      const called = finish_reason === 'stop' ? callTool(text, tools) : null
      return {
        index,
        message: { role: 'assistant', refusal: null, ...(called ?? { content: text }) },
        logprobs: null,
        finish_reason: called === null ? finish_reason : 'tool_calls',
      }
    }),
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  }
}

function plainRole(role: ChatCompletionRequest['messages'][number]['role']): Message['role'] {
  if (role === 'developer') return 'system'
  return role === 'tool' ? 'user' : role
}

function cut(text: string, longest: number, stops: readonly string[]) {
  let end = text.length
  for (const stop of stops) {
    const position = stop === '' ? -1 : text.indexOf(stop)
    if (position >= 0) end = Math.min(end, position)
  }
  let kept = text.slice(0, end)
  const finish_reason: 'stop' | 'length' = estimateTokens(kept) > longest ? 'length' : 'stop'
  if (finish_reason === 'length')
    kept = Buffer.from(kept)
      .subarray(0, longest * 3)
      .toString()
  return { text: kept, tokens: Math.min(estimateTokens(kept), longest), finish_reason }
}

const asking = /^(?:Describe this picture\b|Q: .* A:$)/

function answerAboutPicture(
  messages: readonly Message[],
  pictures: readonly string[],
  settings: SimulatedSettings,
  sample: Sample,
): string | null {
  const [address = ''] = pictures
  const text = messages.at(-1)?.content.trim() ?? ''
  const [, data] = /^data:image\/png;base64,(.+)$/.exec(address) ?? []
  if (data === undefined || !asking.test(text)) return null
  const picture = readPicture(Buffer.from(data, 'base64'))
  return picture === null
    ? null
    : describePicture(
        picture,
        settings.skill,
        createRandom(seedOf([...messages, { role: 'user', content: data }], settings, sample)),
      )
}
