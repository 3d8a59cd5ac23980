import { z } from 'zod'
import type { AnswerTokens, TokenSource } from '../../../core/contracts/token-record.ts'

export interface ChoiceTokens extends AnswerTokens {
  source: TokenSource
  prompt_ids: number[] | null
  // The version of the weights; null: the server does not say.
  version: string | null
  warnings: string[]
}

const anything = z.unknown().optional()

// A token of OpenAI's `logprobs`. llama.cpp adds its id.
const contentSchema = z.array(z.looseObject({ token: anything, id: anything, logprob: anything }))

// SGLang's `[logprob, id, text]`.
const tripleSchema = z.array(z.tuple([z.unknown(), z.unknown()]).rest(z.unknown()))

const choiceSchema = z.looseObject({
  // vLLM.
  token_ids: anything,
  prompt_token_ids: anything,
  // SGLang.
  response_token_ids: anything,
  output_ids: anything,
  meta_info: z
    .looseObject({ output_token_logprobs: tripleSchema.nullish().catch(null), weight_version: anything })
    .nullish()
    .catch(null),
  logprobs: z
    .looseObject({
      content: contentSchema.nullish().catch(null),
      // vLLM's completions.
      token_logprobs: z.array(z.unknown()).nullish().catch(null),
      tokens: z.array(z.unknown()).nullish().catch(null),
    })
    .nullish()
    .catch(null),
})

const bodySchema = z.looseObject({
  choices: z.array(z.unknown()),
  model: anything,
  prompt_token_ids: anything,
  // llama.cpp, if the request sets `verbose`.
  __verbose: z.looseObject({ tokens: anything }).nullish().catch(null),
})

/**
 * Reads the tokens of a chat answer under the names of every server that has any: vLLM (`token_ids`,
 * `prompt_token_ids`; `token_id:7` in place of texts), SGLang (`meta_info.output_token_logprobs`,
 * `prompt_token_ids`), llama.cpp (`__verbose.tokens`, `id`), and OpenAI (`logprobs.content`, texts alone).
 * Values that cannot be are unknown, and a warning says why.
 *
 * @returns one for each choice; empty for a body without choices
 */
export function readChoiceTokens(body: unknown, source: TokenSource): ChoiceTokens[] {
  const { data } = bodySchema.safeParse(body)
  if (data === undefined) return []
  const { choices, model, prompt_token_ids: shared, __verbose: verbose } = data
  return choices.map((choice) => {
    const read = choiceSchema.safeParse(choice).data ?? {}
    const warnings: string[] = []
    const { meta_info: meta = null, logprobs = null } = read
    const entries = entriesOf(meta?.output_token_logprobs, logprobs)
    const whole = [
      read.token_ids,
      read.response_token_ids,
      read.output_ids,
      choices.length === 1 && verbose?.tokens,
    ]
    // An empty list beside log-probabilities says that the server was not asked for ids.
    const stated = whole.find((ids) => Array.isArray(ids) && (ids.length > 0 || entries === null))
    const ids = readIds(stated ?? idsOf(entries), 'the answer', warnings)
    return {
      source,
      ids,
      ...(ids === null && entries !== null && { texts: entries.map(({ text }) => text) }),
      logprobs: readLogprobs(entries, ids, warnings),
      prompt_ids: readIds(read.prompt_token_ids ?? shared, 'the prompt', warnings),
      version: versionOf(meta?.weight_version) ?? versionOf(model),
      warnings,
    }
  })
}

interface Entry {
  id: unknown
  text: string
  logprob: unknown
}

type Triples = z.infer<typeof tripleSchema> | null | undefined
type Logprobs = z.infer<typeof choiceSchema>['logprobs']

function entriesOf(triples: Triples, logprobs: Logprobs): Entry[] | null {
  if (triples) return triples.map(([logprob, id, text]) => ({ id, text: textOf(text), logprob }))
  const { content, token_logprobs: plain, tokens } = logprobs ?? {}
  if (content) {
    return content.map(({ token, id, logprob }) => ({
      id: id ?? namedId(token),
      text: textOf(token),
      logprob,
    }))
  }
  if (!plain) return null
  return plain.map((logprob, place) => {
    const token = tokens?.[place]
    return { id: namedId(token), text: textOf(token), logprob }
  })
}

// The id in vLLM's `token_id:7`, written with `return_tokens_as_token_ids`.
function namedId(token: unknown): number | undefined {
  const [, digits] = (typeof token === 'string' && /^token_id:(\d{1,10})$/.exec(token)) || []
  return digits === undefined ? undefined : Number(digits)
}

function textOf(token: unknown): string {
  return typeof token === 'string' ? token.toWellFormed() : ''
}

function idsOf(entries: readonly Entry[] | null): unknown[] | undefined {
  const ids = entries?.map(({ id }) => id)
  return ids === undefined || ids.length === 0 || ids.includes(undefined) ? undefined : ids
}

function readIds(value: unknown, subject: string, warnings: string[]): number[] | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.every(isId)) return value
  warnings.push(
    `The token ids of ${subject} are not a list of whole numbers from 0, so they count as unknown.`,
  )
  return null
}

function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) >= 0
}

// vLLM writes it for minus infinity, which JSON lacks; a sampled token has some probability.
const minusInfinity = -9999
// Sums of floats may exceed 0 by as much.
const rounding = 1e-3

function readLogprobs(
  entries: readonly Entry[] | null,
  ids: readonly number[] | null,
  warnings: string[],
): (number | null)[] | null {
  if (entries === null) return null
  const values = entries.map(({ logprob }) => (isLogprob(logprob) ? Math.min(logprob, 0) : null))
  const unknown = values.filter((value) => value === null).length
  if (unknown > 0) {
    warnings.push(
      `${unknown} of ${values.length} log-probabilities are no negative numbers, so they count as unknown.`,
    )
  }
  if (ids === null || values.length === ids.length) return values
  warnings.push(
    `The answer has ${ids.length} tokens and ${values.length} log-probabilities, so those without a partner count as unknown.`,
  )
  return alignLogprobs(
    ids,
    entries.map(({ id }, place) => ({ id, logprob: values[place] ?? null })),
  )
}

function isLogprob(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value <= rounding && value > minusInfinity
}

function versionOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.toWellFormed().slice(0, 200) : null
}

interface StatedLogprob {
  id: unknown
  logprob: number | null
}

/**
 * Aligns log-probabilities with more tokens than they are. llama.cpp states one for each whole character: it leaves
 * out tokens that end within one. A log-probability counts only if its place is the only possible one.
 *
 * @returns one for each token, null if unknown; null if none can be placed
 */
export function alignLogprobs(
  ids: readonly number[],
  stated: readonly StatedLogprob[],
): (number | null)[] | null {
  const first = placesFrom(ids, stated)
  const last = placesFrom(ids.toReversed(), stated.toReversed())
  if (first === null || last === null) return null
  const aligned: (number | null)[] = ids.map(() => null)
  for (const [nth, { logprob }] of stated.entries()) {
    const place = first[nth] as number
    const latest = ids.length - 1 - (last[stated.length - 1 - nth] as number)
    if (place === latest) aligned[place] = logprob
  }
  return aligned.every((logprob) => logprob === null) ? null : aligned
}

// The earliest place of each; null if they are no subsequence.
function placesFrom(ids: readonly number[], stated: readonly StatedLogprob[]): number[] | null {
  let next = 0
  const places: number[] = []
  for (const { id } of stated) {
    const place = ids.indexOf(id as number, next)
    if (place < 0) return null
    places.push(place)
    next = place + 1
  }
  return places
}
