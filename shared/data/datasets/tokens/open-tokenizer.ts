import type { DatasetGates } from '../../../core/contracts/dataset.ts'
import { loadOptional } from '../../../core/programs/load-optional.ts'
import { estimateTokens } from '../../../play/models/estimate-tokens.ts'

/** Treats special tokens in a text, such as `<|endoftext|>`, as text, as every trainer does. */
const asText = { disallowedSpecial: new Set<string>() }

const encodings = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
}

/**
 * Opens the tokenizer of that name. OpenAI's encodings (the package `gpt-tokenizer`) are loaded on first use: they
 * are megabytes of merges, which most builds never need.
 *
 * @throws EspalierError `not_supported` if the package is not installed
 */
export async function openTokenizer(id: Tokenizer['id']): Promise<Tokenizer> {
  if (id === 'estimate') return { id, ofText: estimateTokens }
  const { countTokens } = await loadOptional(['gpt-tokenizer'], `The tokenizer ${id}`, encodings[id])
  return { id, ofText: remember((text) => countTokens(text, asText)) }
}

/** Maximum number of cached texts: those of a few trees, whose paths share most of their turns. */
const mostKnown = 4096

function remember(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const earlier = known.get(text)
    if (earlier !== undefined) return earlier
    if (known.size >= mostKnown) known.clear()
    const tokens = count(text)
    known.set(text, tokens)
    return tokens
  }
}

/** Counts the tokens of texts. The manifest records its name, because a number of tokens depends on it. */
export interface Tokenizer {
  readonly id: DatasetGates['tokenizer']
  ofText(text: string): number
}
