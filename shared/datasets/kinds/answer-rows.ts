import type { ConversationRow } from '../../contracts/dataset-row.ts'
import { countPictures, withNewestPictures } from '../../search/newest-pictures.ts'
import type { FoundRow } from '../kind.ts'

/**
 * A conversation as one row for each answer that is learned: what stood before it with the newest pictures, as many as a prompt
 * showed, and the answer as the only one that is learned. So a row shows what the policy saw when it gave the answer, and
 * trainers that cannot mask single turns of what shows pictures learn nothing else.
 *
 * @param most - pictures that a prompt showed
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

/** Whether one row of these messages shows each of its answers what its prompt showed: no picture was left out of any. */
export function showsAll(messages: ConversationRow['messages'], most: number): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return countPictures(messages.slice(0, last)) <= most
}
