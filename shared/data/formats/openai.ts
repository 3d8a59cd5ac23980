import { z } from 'zod'
import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import type { ConversationRow, DatasetRow, RowMessage, RowOf } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import { holdsMessages, messagesRead, readMessages } from './chat-messages.ts'
import { countColumn, jsonColumn, messageColumns, referenceColumn } from './column-types.ts'
import { addressContent, openTurns } from './content-parts.ts'
import { joinCommands } from './data-files.ts'
import { learnsAll } from './learned.ts'
import { pictureFiles } from './picture-names.ts'
import { chatTurnsSchema, contextOnly, showPart, theModels } from './shown-parts.ts'
import {
  callFields,
  type StructuredTurn,
  structuredTurns,
  toolsColumn,
  toolsOfRow,
} from './structured-turns.ts'
import { type FormatFacts, type TwoWayFormat, UnfitRowError, unsupportedRow } from './trainer-format.ts'

/**
 * OpenAI's fine-tuning files. Chat rows carry a `weight` on the model's turns if one of them is context only. OpenAI
 * refuses unknown keys, so rows hold nothing else. A pair is one answer a side: more turns are not trained on.
 * Sources: https://developers.openai.com/api/docs/guides/supervised-fine-tuning, …/direct-preference-optimization,
 * …/reinforcement-fine-tuning and …/vision-fine-tuning, by which pictures are for supervised rows alone.
 */
export const openai: TwoWayFormat = {
  id: 'openai',
  description:
    'OpenAI’s fine-tuning: chat with weights, preference pairs of one answer a side, prompts for reinforcement. TRL, axolotl and others read its chat rows too.',
  container: 'jsonl',
  readsGzip: false,
  kinds: ['sft', 'revision', 'exploration', 'step-preference', 'prompts'],
  pictures: { kinds: ['sft', 'revision', 'exploration'], place: 'data' },
  write(row): JsonObject {
    switch (row.type) {
      case 'conversation':
        return { messages: weighted(row), ...offered(row) }
      case 'preference':
        return pair(row)
      case 'prompt':
        return { messages: turnsOf(row, row.prompt), reference: row.reference, ...offered(row) }
      default:
        throw unsupportedRow('openai', row.type)
    }
  },
  columns(kind, isPictured, { calls } = { calls: false, thoughts: false }) {
    if (calls && kind === 'step-preference')
      return [
        { name: 'input', dtype: 'json' },
        ...['preferred_output', 'non_preferred_output'].map(jsonColumn),
      ]
    const tools = calls ? [jsonColumn('tools'), { name: 'parallel_tool_calls', dtype: 'bool' }] : []
    if (kind === 'prompts') {
      const messages = calls ? jsonColumn('messages') : { name: 'messages', list: messageColumns }
      return [messages, referenceColumn, ...tools]
    }
    // With pictures, contents are texts and lists.
    if (calls || isPictured) return [jsonColumn('messages'), ...tools]
    // Rows without context-only turns have no weight.
    const list = [...messageColumns, countColumn('weight')]
    return kind === 'step-preference' ? null : [{ name: 'messages', list }]
  },
  show,
  companions: () => [],
  usage,
  reads: messagesRead,
  recognises: holdsMessages,
  read: readMessages,
}

const chatSchema = z.object({
  messages: z.array(z.looseObject({ role: z.string(), weight: z.number().nullish() })),
})
/** Maximum pictures of one example, by the guide to vision fine-tuning. */
const mostPictures = 10

const pairSchema = z.object({
  input: z.object({ messages: chatTurnsSchema }),
  preferred_output: chatTurnsSchema,
  non_preferred_output: chatTurnsSchema,
})

function show(data: JsonObject, kind: DatasetKindId): ShownPart[] {
  if (kind === 'step-preference') {
    const { input, preferred_output, non_preferred_output } = pairSchema.parse(data)
    return [
      showPart('prompt', input.messages, contextOnly),
      showPart('chosen', preferred_output, theModels),
      showPart('rejected', non_preferred_output, theModels),
    ]
  }
  const { messages } = chatSchema.parse(data)
  const turns = openTurns([])(messages)
  if (kind === 'prompts') return [showPart('prompt', turns, contextOnly)]
  const learns = messages.map(({ role, weight }) => role === 'assistant' && weight !== 0)
  return [showPart('messages', turns, (_, index) => learns[index] === true)]
}

function weighted(row: ConversationRow): JsonObject[] {
  const shown = pictureFiles(row.messages).length
  if (shown > mostPictures) {
    throw new UnfitRowError(
      `the row shows ${shown} pictures, and OpenAI takes at most ${mostPictures} an example; a run with a smaller max_pictures gives such rows`,
    )
  }
  const isWhole = learnsAll(row)
  return structuredTurns(row.messages, row.tools).map((turn): JsonObject => {
    const { role, weight = 1 } = turn
    const written = chatTurn(turn)
    return role === 'assistant' && !isWhole ? { ...written, weight } : written
  })
}

/** OpenAI has no field for thoughts, and takes a call without words as a turn without content. */
function chatTurn(turn: StructuredTurn): JsonObject {
  const called = callFields(turn, JSON.stringify)
  const isBare = turn.call !== undefined && turn.content === ''
  return { role: turn.role, ...(isBare ? {} : { content: addressContent(turn) }), ...called }
}

function turnsOf(row: DatasetRow, turns: readonly RowMessage[], before = 0): JsonObject[] {
  return structuredTurns(turns, toolsOfRow(row), before).map(chatTurn)
}

function offered(row: DatasetRow): JsonObject {
  const { tools } = toolsColumn(row)
  return tools === undefined ? {} : { tools, parallel_tool_calls: false }
}

function pair(row: RowOf<'preference'>): JsonObject {
  const { prompt, chosen, rejected } = row
  for (const [name, side] of Object.entries({ chosen, rejected })) {
    if (side.length === 1) continue
    throw new UnfitRowError(
      `the ${name} side has more than one message, and OpenAI compares two answers of one message each`,
    )
  }
  return {
    input: { messages: turnsOf(row, prompt), tools: [], parallel_tool_calls: true, ...offered(row) },
    preferred_output: turnsOf(row, chosen, prompt.length),
    non_preferred_output: turnsOf(row, rejected, prompt.length),
  }
}

const pictured =
  'Pictures are in the rows, as `data:` addresses: the model must be one that is fine-tuned with pictures, such as `gpt-4o-2024-08-06`, a file has at most 50,000 rows with pictures and 512 MB, and OpenAI leaves out rows whose pictures show people or CAPTCHAs.'

function usage(facts: FormatFacts): string {
  const joined = joinCommands(facts, (names, split) => `cat ${names} > ${split}.jsonl`)
  const kept =
    facts.kind === 'prompts'
      ? 'The grader sees `reference` as `item.reference`.'
      : facts.kind === 'step-preference'
        ? 'The method of the job is `dpo`.'
        : '`weight: 0` marks the model’s turns that are context only; rows without it are learned whole.'
  return `### OpenAI

The API takes one plain JSONL file for training and one for validation; join them where there are more:

\`\`\`sh
${joined}
\`\`\`

Upload them with the purpose \`fine-tune\` and name them in \`POST /v1/fine_tuning/jobs\`. ${kept} A job takes ten rows or more.${facts.structure?.calls ? ' `tools` are those that the agent was offered; each turn of the model calls one of them at most.' : ''} OpenAI is winding its fine-tuning down and takes no new users; Azure OpenAI, Together and Fireworks read the same files.${facts.isPictured ? `\n\n${pictured}` : ''}`
}
