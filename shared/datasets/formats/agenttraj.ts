import { z } from 'zod'
import type { JsonObject } from '../../contracts/json.ts'
import type { DatasetFormat, FormatFacts } from '../format.ts'
import { turnsWithoutSystem } from './alternating-turns.ts'
import { joinCommands } from './join-commands.ts'
import { isLearned } from './learned.ts'
import { noPlace } from './no-place.ts'
import { sharegptTurn } from './sharegpt-turn.ts'
import { fromSharegpt, sharegptTurnSchema, showPart } from './shown-parts.ts'

/**
 * AgentTraj-L, what AgentGym trains on (Xi et al. 2024; https://huggingface.co/datasets/AgentGym/AgentTraj-L): one JSON list
 * of conversations, each turn of the model with or without loss. There is no turn of the system, so its text is put before
 * the first turn of the user.
 */
export const agenttraj: DatasetFormat = {
  id: 'agenttraj',
  description: 'AgentTraj-L of AgentGym: conversations, each turn of the model with or without loss.',
  container: 'json',
  readsGzip: false,
  kinds: ['sft', 'revision', 'exploration'],
  write(row, { task }): JsonObject {
    if (row.type !== 'conversation') throw noPlace('agenttraj', row.type)
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
}

const rowSchema = z.object({
  conversations: z.array(sharegptTurnSchema.extend({ loss: z.boolean().nullable() })),
})

function usage(facts: FormatFacts): string {
  return `### AgentGym

Its behavioural cloning takes one JSON list; join them where there are more:

\`\`\`sh
${joinCommands(facts, (names, split) => `jq -c -s add ${names} > ${split}.json`)}
\`\`\`

\`loss\` says of each turn of the model whether it is learned, and is \`null\` on the others. \`item_id\` is the task’s id here, which is not AgentGym’s number of it.`
}
