import { z } from 'zod'
import type { WeightedMessage } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { readAgentRTree } from './agent-r-tree.ts'
import { checkShape } from './bad-row-error.ts'
import { rawTurnsSchema, toTurns } from './chat-messages.ts'
import { joinCommands } from './data-files.ts'
import { isLearned } from './learned.ts'
import { nothingSaid, type ReadTrajectory } from './read-trajectory.ts'
import { chatTurnSchema, showPart } from './shown-parts.ts'
import { numberOfTask } from './task-name.ts'
import { type FormatFacts, type TwoWayFormat, unsupportedRow } from './trainer-format.ts'

/**
 * The records of Agent-R's `path_collection.py` (Yuan et al. 2025): `revise_log` is the conversation to learn from,
 * with `loss` on the model's turns. A revision also has both paths and the judgements behind it. Also reads its search
 * trees, one a file.
 */
export const agentR: TwoWayFormat = {
  id: 'agent-r',
  description: 'Agent-R’s records: revised and good trajectories with the loss of each turn.',
  container: 'jsonl',
  readsGzip: false,
  kinds: ['sft', 'revision'],
  write(row, { environment, task, kind, row: place, explained, other_reward }): JsonObject {
    if (row.type !== 'conversation') throw unsupportedRow('agent-r', row.type)
    const logged = { ...numbered(task, environment, place), revise_log: toLog(row.messages) }
    // Good trajectories among the revisions have no other side.
    if (explained === undefined) return { ...logged, revise: kind === 'revision' && other_reward !== null }
    return {
      ...logged,
      high_log: toLog(explained.high),
      low_log: toLog(explained.low),
      task_description: descriptionIn(explained.high),
      revise: true,
      revise_feedback:
        explained.judgements?.map(({ answer, action, observation, judgement }) => ({
          revision_feedback: answer,
          action,
          obs: observation,
          judgement,
        })) ?? '',
    }
  },
  show(data) {
    const { revise_log } = rowSchema.parse(data)
    return [showPart('messages', revise_log, (_, index) => revise_log[index]?.loss === true)]
  },
  companions: () => [],
  usage,
  reads: 'Agent-R: search trees `search_results_{n}.json`, and records `{task_num, revise_log}`',
  recognises: (row) => 'revise_log' in row || ('children' in row && 'visits' in row),
  // Two levels a node, and a path is as long as its episode.
  levels: 100_000,
  read: (row, place) => ('revise_log' in row ? readRecord(row) : readAgentRTree(row, place)),
}

function toLog(messages: readonly WeightedMessage[]): JsonObject[] {
  return messages.map((message): JsonObject => {
    const { role, content } = message
    return role === 'assistant' ? { role, content, loss: isLearned(message) } : { role, content }
  })
}

// The last message before the first learned answer: the first observation, which states the task.
function descriptionIn(messages: readonly WeightedMessage[]): string {
  const first = messages.findIndex((message) => message.role === 'assistant' && isLearned(message))
  return messages[first - 1]?.content ?? ''
}

// Agent-R numbers tasks. Beside a number that does not name the task there is its id.
function numbered(task: string, environment: string, row: number): JsonObject {
  const known = numberOfTask(environment, task)
  return known === null
    ? { task_num: Number(/(\d{1,10})$/.exec(task)?.[1] ?? row), task }
    : { task_num: known }
}

const rowSchema = z.object({ revise_log: z.array(chatTurnSchema.extend({ loss: z.boolean().optional() })) })

const readRowSchema = z.looseObject({
  task: z.string().optional(),
  task_num: z.union([z.string(), z.number()]).nullish(),
  revise_log: rawTurnsSchema,
})

function readRecord(row: Record<string, unknown>): ReadTrajectory {
  const { task, task_num = null, revise_log } = checkShape(readRowSchema, row)
  return {
    ...nothingSaid,
    task: task ?? (task_num === null ? null : String(task_num)),
    body: { turns: toTurns(revise_log, 'revise_log') },
  }
}

function usage(facts: FormatFacts): string {
  return `### Agent-R

\`\`\`sh
${joinCommands(facts, (names, split) => `cat ${names} > ${split}.jsonl`)}
\`\`\`

These are the records before their conversion: Agent-R’s own \`rewrite\` drops the loss of each turn. For training choose the format \`xtuner\`, which keeps it.`
}
