import type { TokenLogprob } from '../call-settings.ts'
import type { ChoiceTokens } from './read-tokens.ts'

export function tokenLogprobs(tokens: ChoiceTokens | undefined): TokenLogprob[] | undefined {
  if (!tokens?.logprobs) return undefined
  const { ids, logprobs, texts } = tokens
  return logprobs.map((logprob, at) => ({ text: texts?.[at] ?? null, id: ids?.[at] ?? null, logprob }))
}
