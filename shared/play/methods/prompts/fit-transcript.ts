import { type Later, whenThere } from '../../models/later.ts'
import { estimatingCounter, type TokenCounter } from '../../models/token-counter.ts'
import { renderTranscript } from '../../search/conversation.ts'
import type { SearchNode } from '../../search/tree.ts'
import { leastThatFits } from './fit-prompt.ts'

/**
 * Renders a path as text of at most `maxTokens`. Drops as many of its oldest turns as necessary, but never the last.
 *
 * @param path - from the node whose observation comes first
 * @param counter - counts the tokens. @default estimated
 */
export function fitTranscript(
  path: readonly SearchNode[],
  maxTokens: number,
  counter: TokenCounter = estimatingCounter,
): Later<string> {
  const leftOut = leastThatFits(Math.max(0, path.length - 2), (most) =>
    whenThere(counter.ofText(renderTranscript(path, most)), (tokens) => tokens <= maxTokens),
  )
  return whenThere(leftOut, (most) => renderTranscript(path, most))
}
