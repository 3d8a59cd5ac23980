import { estimateTokens } from '../../models/estimate-tokens.ts'

/** A text of at most about `maxTokens` (estimated): of a longer one the beginning and the end, with a note on what is left out. */
export function fitText(text: string, maxTokens: number): string {
  const tokens = estimateTokens(text)
  if (tokens <= maxTokens) return text
  const kept = Math.floor((text.length * maxTokens) / tokens)
  const [start, end] = [text.slice(0, Math.ceil(kept / 2)), text.slice(text.length - Math.floor(kept / 2))]
  const gap = `[${text.length - kept} characters are left out here]`
  return `${start.toWellFormed()}\n${gap}\n${end.toWellFormed()}`
}
