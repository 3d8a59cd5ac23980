import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Tokenizer } from '@huggingface/tokenizers'
import { onTestFinished } from 'vitest'
import type { TokenSource } from '../../shared/core/contracts/token-record.ts'
import { acceptRequest } from '../../shared/play/simulated/answer-request.ts'
import { bytePairTokenizer } from '../learn/tokenizers/tiny-tokenizers.ts'

/** The tokens of one answered request, as the server knows them. */
export interface GivenTokens {
  // The route that was asked.
  path: string
  prompt_ids: number[]
  answers: { ids: number[]; logprobs: number[] }[]
}

export interface TokenServer {
  base: string
  // The `tokenizer.json` of its model.
  tokenizer: string
  given: GivenTokens[]
  // The bodies of requests, in their order.
  asked: Record<string, unknown>[]
}

/** The fields of an answer that tests spoil. */
export interface SpokenBody {
  choices: SpokenChoice[]
}

export interface SpokenChoice {
  token_ids: number[]
  logprobs: { content: { logprob: number }[] }
}

interface AskedBody {
  messages: Message[]
  prompt?: number[]
  input_ids?: number[]
  n?: number
  seed?: number
  stop?: string[]
  sampling_params?: Pick<AskedBody, 'n' | 'stop'> & { sampling_seed?: number }
}

interface Message {
  role: string
  content: string
}

const marks = ['<|system|>', '<|user|>', '<|assistant|>', '<|end|>', '<|unknown|>']
const endId = 3

/** A player of the wanted skill behind the routes and fields of a server that gives tokens. */
export async function openTokenServer(
  kind: TokenSource,
  {
    merges = [],
    skill = 1,
    spoil = (body) => body,
  }: {
    merges?: readonly [string, string][]
    skill?: number
    // Changes an answer's body before it is sent.
    spoil?: (body: SpokenBody) => object
  } = {},
): Promise<TokenServer> {
  const tokenizer = bytePairTokenizer(merges)
  const division = new Tokenizer(JSON.parse(tokenizer), {})
  const encode = (prompt: string): number[] => division.encode(prompt, { add_special_tokens: false }).ids
  const given: GivenTokens[] = []
  const asked: Record<string, unknown>[] = []

  function answer(path: string, request: AskedBody): object {
    const ids: number[] = request.prompt ?? request.input_ids ?? encode(render(request.messages))
    const { sampling_params: sampling, ...own } = request
    const { n = 1, stop, seed = sampling?.sampling_seed ?? 0 } = { ...own, ...sampling }
    const played = { model: 'player', messages: readTurns(decode(ids, merges)), n, seed, stop }
    const accepted = acceptRequest('/v1/chat/completions', JSON.stringify(played))
    if ('error' in accepted) throw new Error(JSON.stringify(accepted))
    const { choices } = accepted.answer({ skill, seed: 0 }).body as {
      choices: { message: { content: string } }[]
    }
    const texts = choices.map(({ message }) => message.content)
    const answers = texts.map((content) => {
      const own = [...[...Buffer.from(content)].map((byte) => marks.length + byte), endId]
      return { ids: own, logprobs: own.map((id, place) => -((id + place) % 7) / 8 - 0.125) }
    })
    given.push({ path, prompt_ids: ids, answers })
    return forms[kind](path, { ids, texts, answers })
  }

  const server = createServer(async (request: IncomingMessage, response) => {
    const body = JSON.parse(await text(request)) as AskedBody
    asked.push({ ...body })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(spoil(answer(request.url ?? '', body) as SpokenBody)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, tokenizer, given, asked }
}

interface Spoken {
  ids: number[]
  texts: string[]
  answers: GivenTokens['answers']
}

const usageOf = ({ ids, answers }: Spoken) => ({
  prompt_tokens: ids.length,
  completion_tokens: answers.reduce((sum, each) => sum + each.ids.length, 0),
})

const contentOf = ({ ids, logprobs }: Spoken['answers'][number]) =>
  ids.map((id, place) => ({ token: String.fromCharCode(id), logprob: logprobs[place] }))

function chat(spoken: Spoken, more: (place: number) => object) {
  const choices = spoken.texts.map((content, index) => ({
    index,
    message: { role: 'assistant', content },
    finish_reason: 'stop',
    logprobs: { content: contentOf(spoken.answers[index] as Spoken['answers'][number]) },
    ...more(index),
  }))
  return { model: 'weights-7', choices, usage: usageOf(spoken) }
}

const tripleOf = ({ ids, logprobs }: Spoken['answers'][number]) =>
  ids.map((id, place) => [logprobs[place], id, null])

const forms: Record<TokenSource, (path: string, spoken: Spoken) => object> = {
  vllm(path, spoken) {
    const { ids, texts, answers } = spoken
    if (path === '/v1/chat/completions')
      return { ...chat(spoken, (place) => ({ token_ids: answers[place]?.ids })), prompt_token_ids: ids }
    const choices = texts.map((content, index) => ({
      index,
      text: content,
      finish_reason: 'stop',
      token_ids: answers[index]?.ids,
      prompt_token_ids: ids,
      logprobs: { token_logprobs: answers[index]?.logprobs, tokens: [] },
    }))
    return { model: 'weights-7', choices, usage: usageOf(spoken) }
  },
  sglang(path, spoken) {
    const { ids, texts, answers } = spoken
    const metaOf = (place: number) => ({
      weight_version: 'step-3',
      finish_reason: { type: 'stop', matched: endId },
      prompt_tokens: ids.length,
      completion_tokens: answers[place]?.ids.length,
      output_token_logprobs: tripleOf(answers[place] as Spoken['answers'][number]),
    })
    if (path === '/v1/chat/completions')
      return chat(spoken, (place) => ({ prompt_token_ids: ids, meta_info: metaOf(place) }))
    const outputs = texts.map((content, place) => ({
      text: content,
      output_ids: answers[place]?.ids,
      meta_info: metaOf(place),
    }))
    return outputs.length === 1 ? (outputs[0] as object) : outputs
  },
  'llama-cpp': () => {
    throw new Error('llama.cpp itself runs in its tests.')
  },
  logprobs: (_path, spoken) => chat(spoken, () => ({})),
}

function render(messages: readonly Message[]): string {
  return `${messages.map(({ role, content }) => `<|${role}|>${content}<|end|>`).join('')}<|assistant|>`
}

function decode(ids: readonly number[], merges: readonly [string, string][]): string {
  const joined = merges.map(([one, other]) => one + other)
  const parts = ids.map((id) => {
    if (id < marks.length) return Buffer.from(marks[id] as string)
    if (id < marks.length + 256) return Buffer.from([id - marks.length])
    return Buffer.from(joined[id - marks.length - 256] as string)
  })
  return Buffer.concat(parts).toString()
}

function readTurns(prompt: string): Message[] {
  return [...prompt.matchAll(/<\|(system|user|assistant)\|>(.*?)<\|end\|>/gs)].map(
    ([, role = '', content = '']) => ({ role, content }),
  )
}
