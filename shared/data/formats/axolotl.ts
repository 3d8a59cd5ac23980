import { stringify } from 'yaml'
import { z } from 'zod'
import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import type { ConversationRow, RowOf } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import { messagesRead, plainMessages, promptText, readMessages } from './chat-messages.ts'
import { type ColumnType, jsonColumn } from './column-types.ts'
import { filledSplits } from './data-files.ts'
import {
  chatTurnSchema,
  chatTurnsSchema,
  contextOnly,
  showPart,
  showSteps,
  theModels,
} from './shown-parts.ts'
import { structuredTurns, templateTurn, toolsColumn } from './structured-turns.ts'
import {
  type CompanionFile,
  type FormatFacts,
  type RowStructure,
  type TwoWayFormat,
  UnfitRowError,
  unsupportedRow,
} from './trainer-format.ts'

/**
 * axolotl's `chat_template` with a training flag on each turn of the model, `chat_template.default` for DPO, and
 * `stepwise_supervised` (axolotl-ai-cloud/axolotl 0.19.0, docs/dataset-formats), with the matching YAML. Its DPO reads only role and content, so calls of pairs
 * stay in the text.
 */
export const axolotl: TwoWayFormat = {
  id: 'axolotl',
  description: 'axolotl: chat with a flag on each turn, DPO of steps, process reward; with their YAML.',
  container: 'jsonl',
  readsGzip: true,
  kinds: ['sft', 'revision', 'exploration', 'step-preference', 'process-reward'],
  write(row): JsonObject {
    switch (row.type) {
      case 'conversation':
        return { messages: flagged(row), ...toolsColumn(row) }
      case 'preference':
        return pair(row)
      case 'process':
        return { prompt: promptText(row.prompt), completions: row.completions, labels: row.labels }
      default:
        throw unsupportedRow('axolotl', row.type)
    }
  },
  columns: (kind, _, structure) =>
    kind === 'sft' || kind === 'revision' || kind === 'exploration' ? structuredColumns(structure) : null,
  keepsThoughts: (kind) => kind !== 'step-preference' && kind !== 'process-reward',
  show,
  companions,
  usage,
  reads: messagesRead,
  // Its rows equal OpenAI's but for a flag on each turn, and are read as these.
  recognises: () => false,
  read: readMessages,
}

const flaggedSchema = z.object({ messages: z.array(chatTurnSchema.extend({ train: z.boolean() })) })
const pairSchema = z.object({ messages: chatTurnsSchema, chosen: chatTurnSchema, rejected: chatTurnSchema })

function show(data: JsonObject, kind: DatasetKindId): ShownPart[] {
  if (kind === 'process-reward') return showSteps(data)
  if (kind === 'step-preference') {
    const { messages, chosen, rejected } = pairSchema.parse(data)
    return [
      showPart('prompt', messages, contextOnly),
      showPart('chosen', [chosen], theModels),
      showPart('rejected', [rejected], theModels),
    ]
  }
  const { messages } = flaggedSchema.parse(data)
  return [showPart('messages', messages, (_, index) => messages[index]?.train === true)]
}

function structuredColumns(structure: RowStructure | undefined): ColumnType[] | null {
  if (structure === undefined || !(structure.calls || structure.thoughts)) return null
  return [jsonColumn('messages'), ...(structure.calls ? [jsonColumn('tools')] : [])]
}

function flagged({ messages, tools }: ConversationRow): JsonObject[] {
  return structuredTurns(messages, tools).map((turn) => ({
    ...templateTurn(turn),
    train: turn.role === 'assistant' && turn.weight !== 0,
  }))
}

function pair({ prompt, chosen, rejected }: RowOf<'preference'>): JsonObject {
  const [[good], [bad]] = [plainMessages(chosen), plainMessages(rejected)]
  if (good === undefined || bad === undefined || chosen.length + rejected.length > 2) {
    throw new UnfitRowError(
      'a side has more than one message, and axolotl compares two answers of one message each',
    )
  }
  return { messages: plainMessages(prompt), chosen: good, rejected: bad }
}

function companions(facts: FormatFacts): CompanionFile[] {
  const [train = [], ...others] = filledSplits(facts).map(([, names]) => names)
  const configuration = {
    ...settings(facts),
    datasets: [source(facts, train)],
    ...(others.length === 0 ? {} : { test_datasets: others.map((files) => source(facts, files)) }),
  }
  const text = `# What axolotl needs to know of this dataset; add the model and the training. Run it in this folder.\n${stringify(configuration)}`
  return [{ name: 'axolotl.yml', content_type: 'application/yaml', text }]
}

function settings({ kind }: FormatFacts): JsonObject {
  if (kind === 'step-preference') return { rl: 'dpo', chat_template: 'tokenizer_default' }
  if (kind === 'process-reward') return { process_reward_model: true, num_labels: 2 }
  return { chat_template: 'tokenizer_default' }
}

function source({ kind }: FormatFacts, files: string[]): JsonObject {
  const place = { path: '.', ds_type: 'json', data_files: files, split: 'train' }
  if (kind === 'process-reward') return { ...place, type: 'stepwise_supervised', step_separator: '\n' }
  const chat = { ...place, field_messages: 'messages' }
  if (kind === 'step-preference') {
    return { ...chat, type: 'chat_template.default', field_chosen: 'chosen', field_rejected: 'rejected' }
  }
  return {
    ...chat,
    type: 'chat_template',
    message_field_training: 'train',
    roles_to_train: [],
    train_on_eos: 'turn',
  }
}

function usage({ kind, structure }: FormatFacts): string {
  const masks =
    kind === 'process-reward'
      ? 'The prompt is plain text, each turn with an empty line after it. `sequence_len` cuts longer rows.'
      : kind === 'step-preference'
        ? 'Each side is one answer. Calls of tools are in its text: this reader takes nothing but roles and contents.'
        : '`train` says of every turn whether it is learned.'
  return `### axolotl

\`axolotl.yml\` describes the data; put the model and the training beside it and run \`axolotl train axolotl.yml\` in this folder. ${masks}${structure?.calls && kind !== 'step-preference' && kind !== 'process-reward' ? ' `tools` and `tool_calls` are read as they are; the chat template must have places for them.' : ''}`
}
