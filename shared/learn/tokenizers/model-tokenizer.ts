import { Tokenizer } from '@huggingface/tokenizers'
import { z } from 'zod'
import type { Message } from '../../core/contracts/message.ts'
import { estimatePromptTokens } from '../../play/models/estimate-tokens.ts'
import { pictureTokens } from '../../play/models/picture-tokens.ts'
import type { AnswerPlace, DirectCounter } from '../../play/models/token-counter.ts'
import { readChatTemplate } from './chat-template.ts'

export interface TokenizerFiles {
  model: string
  tokenizer: string
  /** `tokenizer_config.json`, which names the special tokens; null: templates get none. */
  configuration: string | null
  chatTemplate: string
}

const specialTokenSchema = z.union([
  z.string(),
  z.object({ content: z.string() }).transform(({ content }) => content),
])
const configurationSchema = z.looseObject({
  bos_token: specialTokenSchema.nullish().catch(null),
  eos_token: specialTokenSchema.nullish().catch(null),
  unk_token: specialTokenSchema.nullish().catch(null),
  sep_token: specialTokenSchema.nullish().catch(null),
  pad_token: specialTokenSchema.nullish().catch(null),
  cls_token: specialTokenSchema.nullish().catch(null),
  mask_token: specialTokenSchema.nullish().catch(null),
})
const vocabularySchema = z.looseObject({
  model: z.looseObject({ vocab: z.union([z.array(z.unknown()), z.record(z.string(), z.int())]) }),
  added_tokens: z.array(z.looseObject({ id: z.int(), special: z.boolean().default(false) })).default([]),
})
const namesOfSpecialTokens = Object.keys(configurationSchema.shape)

export interface ModelTokenizer extends DirectCounter {
  vocabulary(): number
  encode(messages: readonly Message[], after: AnswerPlace | undefined): number[] | null
}

/** The shortest conversation. A tokenizer that cannot count it is unusable. */
const greeting: Message[] = [{ role: 'user', content: 'Hello' }]

/** Cached counts of prompts: a prompt is cut first, and then counted again for its cost. */
const mostKnown = 256

/**
 * Opens the tokenizer of a model. A conversation is rendered by the model's chat template and split as transformers
 * would. If the template refuses it, the count is estimated. This runs uploaded expressions, so only
 * `tokenizer-process.ts` may call it.
 * @throws Error that names the unreadable part
 */
export function openModelTokenizer({
  model,
  tokenizer,
  configuration,
  chatTemplate,
}: TokenizerFiles): ModelTokenizer {
  const settings: unknown = configuration === null ? {} : JSON.parse(configuration)
  const source = JSON.parse(tokenizer, withUnicodeWords) as object
  const division = new Tokenizer(source, settings as object)
  const render = readChatTemplate(chatTemplate, specialTokensOf(settings))
  const ofText = remember((text) => division.encode(text, { add_special_tokens: false }).ids.length)
  if (ofText(render(greeting)) === 0) throw new Error('its chat template makes an empty prompt')

  function ofPrompt(messages: readonly Message[], pictured?: string): number {
    const prompt = tryTo(() => render(messages))
    if (prompt === null) return estimatePromptTokens(messages, pictured)
    const pictures = messages.flatMap((message) => message.pictures ?? [])
    return pictures.reduce((sum, picture) => sum + pictureTokens(picture, pictured), ofText(prompt))
  }

  const idsOf = (text: string) => division.encode(text, { add_special_tokens: false }).ids

  function encode(messages: readonly Message[], after: AnswerPlace | undefined): number[] | null {
    if (after === undefined) return idsOf(render(messages))
    const marked = messages.map((turn, at) => (at === after.at ? { ...turn, content: answerMark } : turn))
    const [, rest, ...more] = render(marked).split(answerMark)
    if (rest === undefined || more.length > 0) return null
    return withoutEnd(idsOf(rest), after.last, specialIdsOf(source))
  }

  return { model, ofText, ofPrompt, encode, vocabulary: () => sizeOf(source) }
}

// Stands for an answer whose ids are known, to find the text that a template puts behind it.
const answerMark = 'The-answer-of-7f3b9c51'

// Ids before an end mark that a template may put behind an answer: Llama 2's has a space there.
const beforeEnd = 2

// Leaves out the end mark of an answer whose own ids have it.
function withoutEnd(ids: number[], last: number | undefined, special: ReadonlySet<number>): number[] {
  if (last === undefined || !special.has(last)) return ids
  const end = ids.slice(0, beforeEnd + 1).indexOf(last)
  return end < 0 || ids.slice(0, end).some((id) => special.has(id)) ? ids : ids.slice(end + 1)
}

function specialIdsOf(source: object): Set<number> {
  const { added_tokens: added } = vocabularySchema.parse(source)
  return new Set(added.filter(({ special }) => special).map(({ id }) => id))
}

// Of all kinds: BPE and WordPiece name ids by token, Unigram by place.
function sizeOf(source: object): number {
  const { model, added_tokens: added } = vocabularySchema.parse(source)
  const ids = Array.isArray(model.vocab) ? [model.vocab.length - 1] : Object.values(model.vocab)
  return [...ids, ...added.map(({ id }) => id)].reduce((most, id) => Math.max(most, id + 1), 0)
}

const wordLetters = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d`

/**
 * `Whitespace` splits words of every script in tokenizers, but only ASCII words in the package that reads it here.
 */
function withUnicodeWords(_name: string, value: unknown): unknown {
  const isWhitespace =
    typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'Whitespace'
  if (!isWhitespace) return value
  const words = `[${wordLetters}]+|[^${wordLetters}\\p{White_Space}]+`
  return { type: 'Split', pattern: { Regex: words }, behavior: 'Removed', invert: true }
}

function specialTokensOf(settings: unknown): Record<string, string> {
  const named = configurationSchema.parse(settings)
  return Object.fromEntries(
    namesOfSpecialTokens.flatMap((name) => (typeof named[name] === 'string' ? [[name, named[name]]] : [])),
  )
}

function tryTo<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch {
    return null
  }
}

function remember(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const earlier = known.get(text)
    if (earlier !== undefined) return earlier
    const tokens = count(text)
    known.set(text, tokens)
    const oldest = known.keys().next().value
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return tokens
  }
}
