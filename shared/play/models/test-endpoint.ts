import { randomUUID } from 'node:crypto'
import type { EndpointFeature, EndpointTest } from '../../core/contracts/endpoint.ts'
import { type EndpointWarning, isSameWarning } from '../../core/contracts/endpoint-warning.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { Meter } from '../../core/contracts/meter.ts'
import type { SentPicture } from '../../core/contracts/picture.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import type { PictureStore } from '../../core/pictures/picture-store.ts'
import type { ChatAnswer, ChatModel } from './chat-model.ts'
import type { ModelClock } from './model-clock.ts'

export interface EndpointQuestion {
  endpoint: string
  model: string
  features: boolean
  pictures: PictureStore | null
  now: ModelClock['now']
}

const question = 'Answer with one word: ready.'
const pictureQuestion = 'What colour is this picture? Answer with one word.'
const picture: SentPicture = {
  media_type: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAeUlEQVR4nO3PQQkAMAzAwIqof2UTMxF7HINABFzm7H7dcEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY0oAUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY0oAUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFj12qxUDxeFqrFAAAAABJRU5ErkJggg==',
}
/** More than the default windows of local servers: 2,048 and 4,096 tokens. */
const longPromptWords = 6000
/** Some models refuse fewer tokens; more cost more. */
const answerTokens = 16
/** Upper bound of a question's duration in milliseconds, if its endpoint allows more. */
const patience = 120_000

type Usage = NonNullable<EndpointTest['usage']>

/**
 * Asks a model one short question, once. With `features`, also requests two choices, shows a picture, sends a long
 * prompt, and requests tokens. No run pays for the questions.
 */
export async function testEndpoint(
  chat: ChatModel,
  { endpoint, model, features, pictures, now }: EndpointQuestion,
): Promise<EndpointTest> {
  const base = { object: 'endpoint_test' as const, endpoint, model }
  const usages: Usage[] = []
  const warnings: EndpointWarning[] = []
  const meter: Meter = {
    ...uncounted,
    warned(warning) {
      if (!warnings.some((known) => isSameWarning(known, warning))) warnings.push(warning)
    },
  }
  const ask = async (
    content: string,
    more: { n?: number; pictures?: Message['pictures']; record?: boolean } = {},
  ) => {
    const answer = await askOnce(chat, { model, content, meter, ...more })
    if (typeof answer !== 'string') usages.push(usageOf(answer))
    return answer
  }
  const begun = now()
  const answer = await ask(question)
  const latency = Math.round((now() - begun) * 10) / 10
  if (typeof answer === 'string') {
    const nothing = { answer: null, finish_reason: null, usage: null, features: null }
    return { ...base, ok: false, latency, ...nothing, error: answer }
  }
  const found: EndpointFeature[] = []
  if (features) {
    found.push(describeChoices(await ask(question, { n: 2 })))
    const shown = await pictures?.put(picture)
    found.push(
      shown === undefined
        ? { id: 'pictures', works: null, note: 'no picture was shown, since none can be kept here' }
        : describePictures(await ask(pictureQuestion, { pictures: [shown] })),
    )
    found.push(describeWindow(await ask(longQuestion()), warnings))
    found.push(describeTokens(await ask(question, { record: true })))
  }
  const [choice] = answer.choices
  return {
    ...base,
    ok: true,
    latency,
    answer: choice?.content ?? null,
    finish_reason: choice?.finish_reason ?? null,
    usage: usages.reduce(addUsage),
    features: features ? found : null,
    ...(warnings.length > 0 && { warnings }),
    error: null,
  }
}

async function askOnce(
  chat: ChatModel,
  {
    model,
    content,
    pictures,
    meter,
    ...more
  }: {
    model: string
    content: string
    n?: number
    record?: boolean
    pictures?: Message['pictures']
    meter: Meter
  },
): Promise<ChatAnswer | string> {
  const request = {
    model,
    messages: [{ role: 'user' as const, content, ...(pictures && { pictures }) }],
    temperature: 1,
    top_p: 1,
    max_tokens: answerTokens,
    seed: 0,
    ...more,
  }
  try {
    const signal = AbortSignal.timeout(patience)
    return await chat.complete(request, { meter, signal, maxRetries: 0 })
  } catch (error) {
    if (EspalierError.isInstance(error)) return error.message
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error
    return `There was no answer within ${patience / 1000} seconds.`
  }
}

function describeChoices(answer: ChatAnswer | string): EndpointFeature {
  if (typeof answer === 'string') return { id: 'choices', works: false, note: `refused: ${answer}` }
  const { model_calls: requests } = answer
  return requests === 1
    ? { id: 'choices', works: true, note: 'two choices came in one request' }
    : {
        id: 'choices',
        works: false,
        note: `two choices took ${requests} requests, and each is charged for its prompt`,
      }
}

function describePictures(answer: ChatAnswer | string): EndpointFeature {
  if (typeof answer === 'string') return { id: 'pictures', works: false, note: `refused: ${answer}` }
  const text = answer.choices[0]?.content.trim() ?? ''
  const isSeen = /\bred\b/i.test(text)
  return {
    id: 'pictures',
    works: isSeen ? true : null,
    note: isSeen
      ? 'it saw that a red picture is red'
      : `it was shown a red picture, and said “${clipText(text, 80)}”`,
  }
}

function longQuestion(): string {
  const numbers = Array.from({ length: longPromptWords }, (_, position) => position % 1000)
  return `Skip this list of numbers.\n${numbers.join(' ')}\n${question}`
}

function describeWindow(answer: ChatAnswer | string, warnings: readonly EndpointWarning[]): EndpointFeature {
  if (typeof answer === 'string') return { id: 'window', works: false, note: `refused: ${answer}` }
  const counted = `a prompt of ${longPromptWords} words was counted as ${answer.input_tokens} tokens`
  const isShort = warnings.some(({ code }) => code === 'short_prompt_count')
  return { id: 'window', works: !isShort, note: isShort ? `${counted}: the server cuts prompts` : counted }
}

function describeTokens(answer: ChatAnswer | string): EndpointFeature {
  if (typeof answer === 'string') return { id: 'tokens', works: false, note: `refused: ${answer}` }
  const { ids = null, logprobs = null, prompt_ids = null, source } = answer.choices[0]?.tokens ?? {}
  const given = [
    ...(prompt_ids === null ? [] : ['ids of the prompt']),
    ...(ids === null ? [] : ['ids of the answer']),
    ...(logprobs === null ? [] : ['log-probabilities']),
  ]
  if (given.length === 3) return { id: 'tokens', works: true, note: `${source}: ${given.join(', ')}` }
  const part = given.length === 0 ? 'none' : `${given.join(' and ')} alone`
  const remedy = 'if its server is vLLM, SGLang or llama.cpp, state that as "tokens" of the endpoint'
  return { id: 'tokens', works: given.length === 0 ? false : null, note: `it gave ${part}: ${remedy}` }
}

function usageOf({ input_tokens, output_tokens, reasoning_tokens, cost }: ChatAnswer): Usage {
  return { input_tokens, output_tokens, ...(reasoning_tokens !== undefined && { reasoning_tokens }), cost }
}

function addUsage(one: Usage, other: Usage): Usage {
  const reasoning = (one.reasoning_tokens ?? 0) + (other.reasoning_tokens ?? 0)
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    ...(reasoning > 0 && { reasoning_tokens: reasoning }),
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  }
}

const uncounted: Meter = {
  reserve: async () => ({
    id: randomUUID(),
    settle: async () => undefined,
    release: async () => undefined,
    lose: async () => undefined,
  }),
}
