import type { ConversationRow, WeightedMessage } from '../../../../core/contracts/dataset-row.ts'
import type { Message } from '../../../../core/contracts/message.ts'
import { withNewestPictures } from '../../../../play/search/newest-pictures.ts'
import { asContext } from '../as-context.ts'

export interface FormattedTurn {
  shown: string
  pictures?: Message['pictures']
  text: string
  node: number
}

const keptFirst = 2

/**
 * Builds one row for each turn: the turns before it, and the turn itself as the only learned one. Long conversations
 * keep their first 4 turns and the last of the others.
 *
 * @param head - the messages before the first answer, the first observation included
 * @param mostPictures - maximum number of newest pictures of a row, as in a prompt
 * @param maxContext - turns of both sides from the first observation on, an even number
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code `tree_to_data`: prefixes of more than 16 elements keep 4
 * and 12
 */
export function* explorationExamples(
  head: readonly Message[],
  turns: readonly FormattedTurn[],
  maxContext: number,
  mostPictures: number,
): Iterable<{ row: ConversationRow; node_ids: number[] }> {
  const before = asContext(head)
  for (const last of turns.keys()) {
    const rounds = keptRounds(last, maxContext / 2)
    const messages: WeightedMessage[] = [...before]
    for (const round of rounds) {
      const { shown, pictures, text } = turns[round] as FormattedTurn
      if (round > 0) messages.push({ role: 'user', content: shown, ...(pictures && { pictures }) })
      messages.push({ role: 'assistant', content: text, weight: round === last ? 1 : 0 })
    }
    yield {
      row: { type: 'conversation', messages: withNewestPictures(messages, mostPictures) },
      node_ids: rounds.map((round) => (turns[round] as FormattedTurn).node),
    }
  }
}

function keptRounds(last: number, most: number): number[] {
  const rounds = Array.from({ length: last + 1 }, (_, round) => round)
  return rounds.length <= most ? rounds : [...rounds.slice(0, keptFirst), ...rounds.slice(keptFirst - most)]
}
