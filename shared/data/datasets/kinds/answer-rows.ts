import type { ConversationRow } from '../../../core/contracts/dataset-row.ts'
import { countPictures, withNewestPictures } from '../../../play/search/newest-pictures.ts'
import type { FoundRow } from '../kind.ts'

/**
 * Splits a conversation into one row for each learned answer. A row has the messages before the answer with the
 * newest pictures, as many as a prompt showed. The answer is the only learned one. So a row shows the policy's prompt
 * for the answer. Trainers that cannot mask single turns with pictures learn nothing else.
 *
 * @param most - maximum pictures of a prompt
 * @param before - positions of `origin` that lead to the first such answer: 2 are the root and the node it led to
 */
export function* answerRows(
  { row, origin, ...found }: FoundRow<ConversationRow>,
  most: number,
  before: number,
): Generator<FoundRow<ConversationRow>> {
  let learned = 0
  for (const [index, { role, weight }] of row.messages.entries()) {
    if (role !== 'assistant' || weight === 0) continue
    const prompt = row.messages
      .slice(0, index)
      .map((message) => (message.role === 'assistant' ? { ...message, weight: 0 as const } : message))
    const messages = [...withNewestPictures(prompt, most), ...row.messages.slice(index, index + 1)]
    const node_ids = origin.node_ids.slice(0, before + learned)
    learned += 1
    yield { ...found, row: { type: 'conversation', messages }, origin: { ...origin, node_ids } }
  }
}

export function showsAll(messages: ConversationRow['messages'], most: number): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return countPictures(messages.slice(0, last)) <= most
}
