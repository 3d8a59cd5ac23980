import type { ConversationRow, WeightedMessage } from '../contracts/dataset-row.ts'
import { UnfitRowError } from './trainer-format.ts'

/** Whether a turn is the model's and counts in the loss. */
export function isLearned({ role, weight }: WeightedMessage): boolean {
  return role === 'assistant' && weight !== 0
}

/** Whether every turn of the model is learned. */
export function learnsAll({ messages }: ConversationRow): boolean {
  return messages.every((message) => message.role !== 'assistant' || isLearned(message))
}

/** Whether the last turn is learned and no other. */
export function learnsLastOnly({ messages }: ConversationRow): boolean {
  return messages.every((message, index) => isLearned(message) === (index === messages.length - 1))
}

/** The first turn that is learned, where every later one of the model is learned too; else null. */
export function learningStart({ messages }: ConversationRow): number | null {
  const start = messages.findIndex(isLearned)
  const rest = messages.slice(Math.max(start, 0))
  return start !== -1 && learnsAll({ type: 'conversation', messages: rest }) ? start : null
}

/**
 * What trainers without weights make of an acknowledgement before the task, such as the `OK` of ETO's experts: they learn it
 * along, as ETO's own training does. Anything more that is context only they must not be given.
 */
export const learnsAlong =
  'One turn of the model before the task, such as the `OK` of ETO’s experts, is learned along. Rows with more of them, such as worked examples, are left out: the formats with weights keep them as context.'

/** @throws UnfitRowError for a row of which a trainer without weights would learn what is context only */
export function checkLearnsAll(row: ConversationRow, trainer: string): void {
  const start = learningStart(row)
  const before = row.messages.slice(0, start ?? 0).filter(({ role }) => role === 'assistant')
  if (start !== null && before.length <= 1) return
  throw new UnfitRowError(
    `turns of the model are context only, and ${trainer} would train on them; openai, axolotl, xtuner, agenttraj and parquet keep a weight for each turn`,
  )
}
