import { z } from 'zod'
import type { ConversationRow } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import { turnsWithoutSystem } from './alternating-turns.ts'
import { joinCommands } from './data-files.ts'
import { eto } from './eto.ts'
import { checkLearnsAll, learnsAlong } from './learned.ts'
import { fromSharegpt, sharegptTurn, sharegptTurnSchema } from './sharegpt.ts'
import { contextOnly, showPart, theModels } from './shown-parts.ts'
import { type FormatFacts, type TwoWayFormat, unsupportedRow } from './trainer-format.ts'

/**
 * FastChat's conversations, and ETO's training pairs (Song et al. 2024, `construct_preference.py`): one JSON list.
 * There is no system turn, so its text precedes the first user turn.
 */
export const fastchat: TwoWayFormat = {
  id: 'fastchat',
  description: 'FastChat and ETO: supervised conversations, and preference pairs of whole trajectories.',
  container: 'json',
  readsGzip: false,
  kinds: ['sft', 'preference', 'step-preference'],
  write(row, { task }): JsonObject {
    switch (row.type) {
      case 'conversation':
        return { id: task, conversations: conversation(row) }
      case 'preference':
        return {
          id: task,
          prompt: turnsWithoutSystem(row.prompt).map(sharegptTurn),
          chosen: side(row.prompt, row.chosen),
          rejected: side(row.prompt, row.rejected),
        }
      default:
        throw unsupportedRow('fastchat', row.type)
    }
  },
  show(data, kind) {
    if (kind === 'sft') {
      return [showPart('messages', rowSchema.parse(data).conversations.map(fromSharegpt), theModels)]
    }
    const { prompt, chosen, rejected } = pairSchema.parse(data)
    return [
      showPart('prompt', prompt.map(fromSharegpt), contextOnly),
      showPart('chosen', chosen.map(fromSharegpt), theModels),
      showPart('rejected', rejected.map(fromSharegpt), theModels),
    ]
  },
  companions: () => [],
  usage,
  reads: eto.reads,
  // Its rows equal those of ETO, which come before it.
  recognises: () => false,
  read: eto.read,
}

const turnsSchema = z.array(sharegptTurnSchema)
const rowSchema = z.object({ conversations: turnsSchema })
const pairSchema = z.object({ prompt: turnsSchema, chosen: turnsSchema, rejected: turnsSchema })

function conversation(row: ConversationRow): JsonObject[] {
  checkLearnsAll(row, 'FastChat')
  return turnsWithoutSystem(row.messages).map(sharegptTurn)
}

function side(prompt: readonly Message[], messages: readonly Message[]): JsonObject[] {
  return turnsWithoutSystem([...prompt, ...messages])
    .slice(-messages.length)
    .map(sharegptTurn)
}

function usage(facts: FormatFacts): string {
  const { kind } = facts
  const program = kind === 'sft' ? '`fastchat/train/train.py`' : 'ETO’s `fastchat/train/train_dpo.py`'
  return `### FastChat and ETO

\`--data_path\` of ${program} takes one file; join them where there are more:

\`\`\`sh
${joinCommands(facts, (names, split) => `jq -c -s add ${names} > ${split}.json`)}
\`\`\`${kind === 'sft' ? `\n\n${learnsAlong}` : ''}`
}
