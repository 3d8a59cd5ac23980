import type { z } from 'zod'
import { chatCompletionRequestSchema, createCompletion, type SimulatedCompletion } from './chat-completion.ts'
import { type OpenAiErrorBody, requestError } from './chat-completion-error.ts'
import { classificationRequestSchema, createClassification } from './classification.ts'
import { createEmbeddings, embeddingsRequestSchema } from './embeddings.ts'
import type { SimulatedSettings } from './simulated-policy.ts'

const chunkLength = 16

function completionEvents(completion: SimulatedCompletion, includeUsage: boolean): string {
  const { id, created, model, system_fingerprint, usage } = completion
  const base = { id, object: 'chat.completion.chunk', created, model, system_fingerprint }
  const chunks: object[] = []
  const push = (index: number, delta: object, finish_reason: string | null) =>
    chunks.push({
      ...base,
      choices: [{ index, delta, logprobs: null, finish_reason }],
      ...(includeUsage ? { usage: null } : {}),
    })
  for (const { index, message, finish_reason } of completion.choices) {
    push(index, { role: 'assistant', content: '' }, null)
    const { content, tool_calls } = message
    for (let start = 0; start < (content ?? '').length; start += chunkLength) {
      push(index, { content: content?.slice(start, start + chunkLength) }, null)
    }
    if (tool_calls) {
      push(index, { tool_calls: tool_calls.map((call, place) => ({ index: place, ...call })) }, null)
    }
    push(index, {}, finish_reason)
  }
  if (includeUsage) chunks.push({ ...base, choices: [], usage })
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}

export interface SimulatedAnswer {
  model: string
  tokens: { input_tokens: number; output_tokens: number }
  body: object
  events: string | null
}

export interface AnswerSettings extends SimulatedSettings {
  /** The sample number of a request without a seed. @default always 0 */
  sample?: () => number
}

export type AcceptedRequest = { answer: (settings: AnswerSettings) => SimulatedAnswer } | OpenAiErrorBody

export const simulatedPaths = ['/v1/chat/completions', '/v1/embeddings', '/classify'] as const

export type SimulatedPath = (typeof simulatedPaths)[number]

export function acceptRequest(path: SimulatedPath, text: string): AcceptedRequest {
  const body = parseJson(text)
  switch (path) {
    case '/v1/chat/completions':
      return accept(chatCompletionRequestSchema, body, (request, { sample = () => 0, ...settings }) => {
        const completion = createCompletion(request, settings, sample)
        const { prompt_tokens, completion_tokens } = completion.usage
        const { stream, stream_options } = request
        return {
          model: request.model,
          tokens: { input_tokens: prompt_tokens, output_tokens: completion_tokens },
          body: completion,
          events: stream ? completionEvents(completion, stream_options?.include_usage ?? false) : null,
        }
      })
    case '/v1/embeddings':
      return accept(embeddingsRequestSchema, body, (request) => whole(createEmbeddings(request)))
    case '/classify':
      return accept(classificationRequestSchema, body, (request, settings) =>
        whole(createClassification(request, settings)),
      )
  }
}

function accept<Request>(
  schema: z.ZodType<Request>,
  body: unknown,
  answer: (request: Request, settings: AnswerSettings) => SimulatedAnswer,
): AcceptedRequest {
  const request = schema.safeParse(body)
  if (!request.success) return requestError(request.error)
  return { answer: (settings) => answer(request.data, settings) }
}

function whole(body: { model: string; usage: { prompt_tokens: number } }): SimulatedAnswer {
  const { model, usage } = body
  return { model, tokens: { input_tokens: usage.prompt_tokens, output_tokens: 0 }, body, events: null }
}

/** Returns undefined for invalid JSON; the schema then reports a missing body. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
