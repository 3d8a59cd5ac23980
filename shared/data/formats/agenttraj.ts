import { z } from 'zod'
import type { JsonObject } from '../../core/contracts/json.ts'
import { turnsWithoutSystem } from './alternating-turns.ts'
import { checkShape } from './bad-row-error.ts'
import { rawTurnsSchema } from './chat-messages.ts'
import { joinCommands } from './data-files.ts'
import { isLearned } from './learned.ts'
import { nothingSaid, type ReadTrajectory, type RowPlace } from './read-trajectory.ts'
import { fromSharegpt, sharegptTurn, sharegptTurnSchema, sharegptTurns } from './sharegpt.ts'
import { showPart } from './shown-parts.ts'
import { scoreScales, splitItemId } from './task-name.ts'
import { type FormatFacts, type TwoWayFormat, unsupportedRow } from './trainer-format.ts'

/**
 * AgentTraj-L, AgentGym's training data (Xi et al. 2024; https://huggingface.co/datasets/AgentGym/AgentTraj-L): one
 * JSON list of conversations, each turn of the model with or without loss. There is no system turn, so its text
 * precedes the first user turn. AgentGym's evaluations write `reward` and `success` beside them.
 */
export const agenttraj: TwoWayFormat = {
  id: 'agenttraj',
  description: 'AgentTraj-L of AgentGym: conversations, each turn of the model with or without loss.',
  container: 'json',
  readsGzip: false,
  kinds: ['sft', 'revision', 'exploration'],
  write(row, { task }): JsonObject {
    if (row.type !== 'conversation') throw unsupportedRow('agenttraj', row.type)
    return {
      item_id: task,
      conversations: turnsWithoutSystem(row.messages).map((message) => ({
        ...sharegptTurn(message),
        loss: message.role === 'assistant' ? isLearned(message) : null,
      })),
    }
  },
  show(data) {
    const { conversations } = rowSchema.parse(data)
    const learned = (_: unknown, index: number) => conversations[index]?.loss === true
    return [showPart('messages', conversations.map(fromSharegpt), learned)]
  },
  companions: () => [],
  usage,
  reads:
    'AgentTraj-L: `{item_id, conversations: [{from, value, loss}]}`; AgentGym’s evaluations also with `reward`',
  recognises: (row) => 'item_id' in row && 'conversations' in row,
  read,
}

const rowSchema = z.object({
  conversations: z.array(sharegptTurnSchema.extend({ loss: z.boolean().nullable() })),
})

const readRowSchema = z.looseObject({
  item_id: z.string().min(1),
  conversations: rawTurnsSchema,
  /** Of evaluations: the score of the last step. */
  reward: z.number().nullish(),
})

/** The item's id names the environment. A score below 0, as of a task that failed for good, is 0. */
function read(row: Record<string, unknown>, place: RowPlace): ReadTrajectory {
  const { item_id, conversations, reward = null } = checkShape(readRowSchema, row)
  const item = splitItemId(item_id)
  return {
    ...nothingSaid,
    environment: place.environment ?? item?.environment ?? null,
    task: item_id,
    reward: reward === null ? null : Math.max(0, reward),
    ...(reward !== null && { scales: scoreScales }),
    body: { turns: sharegptTurns(conversations) },
  }
}

function usage(facts: FormatFacts): string {
  return `### AgentGym

Its behavioural cloning takes one JSON list; join them where there are more:

\`\`\`sh
${joinCommands(facts, (names, split) => `jq -c -s add ${names} > ${split}.json`)}
\`\`\`

\`loss\` says of each turn of the model whether it is learned, and is \`null\` on the others. \`item_id\` is the task’s id here, which is not AgentGym’s number of it.`
}
