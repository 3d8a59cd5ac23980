import { estimateTokens } from '../../models/estimate-tokens.ts'
import { loadOptional } from '../../packages/load-optional.ts'
import type { Tokenizer } from './tokenizer.ts'

/** What looks like a special token in a text, such as `<|endoftext|>`, is text: no trainer takes it for anything else. */
const asText = { disallowedSpecial: new Set<string>() }

const encodings = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
}

/**
 * The tokenizer of that name. OpenAI's encodings (the package `gpt-tokenizer`) are read when they are first asked for: they
 * are megabytes of merges, which most builds never need.
 *
 * @throws EspalierError `not_supported` where the package was not installed
 */
export async function openTokenizer(id: Tokenizer['id']): Promise<Tokenizer> {
  if (id === 'estimate') return { id, ofText: estimateTokens }
  const { countTokens } = await loadOptional(['gpt-tokenizer'], `The tokenizer ${id}`, encodings[id])
  return { id, ofText: remember((text) => countTokens(text, asText)) }
}

/** Texts that are remembered: those of a few trees, whose paths share most of their turns. */
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
