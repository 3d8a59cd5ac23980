import type { ConversationRow, WeightedMessage } from '../../core/contracts/dataset-row.ts'
import { UnfitRowError } from './trainer-format.ts'

export function isLearned({ role, weight }: WeightedMessage): boolean {
  return role === 'assistant' && weight !== 0
}

export function learnsAll({ messages }: ConversationRow): boolean {
  return messages.every((message) => message.role !== 'assistant' || isLearned(message))
}

export function learnsLastOnly({ messages }: ConversationRow): boolean {
  return messages.every((message, index) => isLearned(message) === (index === messages.length - 1))
}

export function learningStart({ messages }: ConversationRow): number | null {
  const start = messages.findIndex(isLearned)
  const rest = messages.slice(Math.max(start, 0))
  return start !== -1 && learnsAll({ type: 'conversation', messages: rest }) ? start : null
}

/**
 * Trainers without weights also learn an acknowledgement before the task, such as the `OK` of ETO's experts, as ETO's
 * own training does. They must not get any longer turn that is context only.
 */
export const learnsAlong =
  'One turn of the model before the task, such as the `OK` of ETO’s experts, is learned along. Rows with more of them, such as worked examples, are left out: the formats with weights keep them as context.'

/** @throws UnfitRowError for a row of which a trainer without weights would learn a turn that is context only */
export function checkLearnsAll(row: ConversationRow, trainer: string): void {
  const start = learningStart(row)
  const before = row.messages.slice(0, start ?? 0).filter(({ role }) => role === 'assistant')
  if (start !== null && before.length <= 1) return
  throw new UnfitRowError(
    `turns of the model are context only, and ${trainer} would train on them; openai, axolotl, xtuner, agenttraj and parquet keep a weight for each turn`,
  )
}
