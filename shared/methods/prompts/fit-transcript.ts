import { estimateTokens } from '../../models/estimate-tokens.ts'
import { renderTranscript } from '../../search/conversation.ts'
import type { SearchNode } from '../../search/tree.ts'

/**
 * A path as text of at most `maxTokens` (estimated): as many of its oldest turns are left out as it takes, but never the last.
 *
 * @param path - from the node whose observation comes first
 */
export function fitTranscript(path: readonly SearchNode[], maxTokens: number): string {
  const fits = (leftOut: number) => estimateTokens(renderTranscript(path, leftOut)) <= maxTokens
  let least = 0
  let most = fits(0) ? 0 : Math.max(0, path.length - 2)
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (fits(middle)) most = middle
    else least = middle + 1
  }
  return renderTranscript(path, least)
}
