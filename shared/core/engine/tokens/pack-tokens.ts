import { z } from 'zod'
import { type TokenRecord, tokenRecordSchema } from '../../contracts/token-record.ts'

/**
 * A stored record. Its prompt is the first `shared` ids of an earlier call's prompt and answer, then `prompt`: the
 * prompts of a conversation repeat each other.
 */
const packedSchema = tokenRecordSchema.omit({ prompt_ids: true }).extend({
  prompt: z.array(z.int().nonnegative()).nullable(),
  from: z
    .object({ call: z.string(), answer: z.int().nonnegative(), shared: z.int().positive() })
    .exactOptional(),
})

export type PackedTokens = z.infer<typeof packedSchema>

// Maximum ids kept in memory to share prefixes, per episode: 4 bytes each.
const mostKept = 200_000
// A shorter prefix saves less than its reference takes.
const leastShared = 16

interface KeptSequence {
  call: string
  answer: number
  // The prompt, then the answer if its ids are known.
  ids: Int32Array
  isWhole: boolean
}

/**
 * Packs the records of one episode. A reference names only calls packed before by the same packer, and so committed
 * before or with the record.
 */
export class TokenPacker {
  readonly #kept: KeptSequence[] = []
  #size = 0

  pack(record: TokenRecord): PackedTokens {
    const { prompt_ids: prompt, ...rest } = record
    if (prompt === null) return { ...rest, prompt: null }
    const found = this.#longest(prompt)
    this.keep(record)
    if (found === null) return { ...rest, prompt }
    const { shared, call, answer } = found
    return { ...rest, prompt: prompt.slice(shared), from: { call, answer, shared } }
  }

  #longest(prompt: readonly number[]): { call: string; answer: number; shared: number } | null {
    let best: { call: string; answer: number; shared: number } | null = null
    for (const { call, answer, ids } of this.#kept) {
      const shared = sharedLength(ids, prompt)
      if (shared >= leastShared && shared > (best?.shared ?? 0)) best = { call, answer, shared }
    }
    return best
  }

  // The prompt and one answer of a kept record; null if it is not kept or their ids are unknown.
  find(call: string, answer: number): number[] | null {
    const kept = this.#kept.find((each) => each.call === call && each.answer === answer)
    return kept?.isWhole ? Array.from(kept.ids) : null
  }

  // Keeps a committed record, so that later ones may share its ids.
  keep({ call, prompt_ids: prompt, answers }: TokenRecord): void {
    if (prompt === null) return
    for (const [answer, { ids }] of answers.entries()) {
      const sequence = Int32Array.from([...prompt, ...(ids ?? [])])
      this.#kept.push({ call, answer, ids: sequence, isWhole: ids !== null })
      this.#size += sequence.length
    }
    while (this.#size > mostKept && this.#kept.length > 1) this.#size -= this.#kept.shift()?.ids.length ?? 0
  }
}

/** @throws Error if the lines are no records, or one refers to a record that is not there */
export function unpackTokens(lines: readonly unknown[]): TokenRecord[] {
  const known = new Map<string, TokenRecord>()
  return lines.map((line) => {
    const { from, prompt, ...rest } = packedSchema.parse(line)
    const record: TokenRecord = { ...rest, prompt_ids: null }
    if (prompt !== null)
      record.prompt_ids = from === undefined ? prompt : [...prefixOf(known, from), ...prompt]
    known.set(record.call, record)
    return record
  })
}

function prefixOf(
  known: ReadonlyMap<string, TokenRecord>,
  { call, answer, shared }: NonNullable<PackedTokens['from']>,
): number[] {
  const record = known.get(call)
  const ids = record && [...(record.prompt_ids ?? []), ...(record.answers[answer]?.ids ?? [])]
  if (ids === undefined || ids.length < shared) {
    throw new Error(`The token record of "${call}" is missing, and a later one refers to it.`)
  }
  return ids.slice(0, shared)
}

export function sharedLength(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const most = Math.min(left.length, right.length)
  let length = 0
  while (length < most && left[length] === right[length]) length += 1
  return length
}
