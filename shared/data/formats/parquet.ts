import { z } from 'zod'
import { datasetKindSchema } from '../../core/contracts/dataset.ts'
import {
  type DatasetRow,
  datasetRowSchema,
  type RowMessage,
  type WeightedMessage,
} from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { messageSchema } from '../../core/contracts/message.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import { BadRowError, checkShape } from './bad-row-error.ts'
import { rawTurnsSchema, toTurns } from './chat-messages.ts'
import { imagesSchema, openTurns, placeMessages } from './content-parts.ts'
import { filledSplits } from './data-files.ts'
import { pictureFiles } from './picture-names.ts'
import { nothingSaid, type ReadTrajectory } from './read-trajectory.ts'
import { contextOnly, showPart, showRow, theModels } from './shown-parts.ts'
import { toolsOfRow } from './structured-turns.ts'
import { type FormatFacts, type TwoWayFormat, unsupportedRow } from './trainer-format.ts'

export const parquet: TwoWayFormat = {
  id: 'parquet',
  description: 'Apache Parquet of the rows as they are, weights and values included.',
  container: 'parquet',
  readsGzip: true,
  kinds: datasetKindSchema.options,
  pictures: {
    kinds: datasetKindSchema.options.filter(
      (kind) => kind !== 'process-reward' && kind !== 'rollouts' && kind !== 'rollout-trees',
    ),
    place: 'columns',
  },
  write(row, { isPictured = false }): JsonObject {
    if (isPictured) return inColumns(row)
    switch (row.type) {
      case 'conversation':
        return { type: row.type, messages: row.messages.map(withWeight), ...toolsText(row) }
      case 'preference': {
        const { type, prompt, chosen, rejected } = row
        const sides = { chosen: chosen.map(withThoughts), rejected: rejected.map(withThoughts) }
        return { type, prompt: prompt.map(withThoughts), ...sides, ...toolsText(row) }
      }
      case 'unpaired': {
        const { type, prompt, completion, label } = row
        const turns = { prompt: prompt.map(withThoughts), completion: completion.map(withThoughts) }
        return { type, ...turns, label, ...toolsText(row) }
      }
      case 'process':
        return { ...row, prompt: row.prompt.map(withThoughts) }
      case 'prompt': {
        const { type, prompt, reference } = row
        const turns = { prompt: prompt.map(withThoughts), reference: JSON.stringify(reference) }
        return { type, ...turns, ...toolsText(row) }
      }
      case 'rollout':
      case 'rollout-tree':
        return row
    }
  },
  keepsThoughts: (kind) => kind !== 'process-reward' && kind !== 'rollouts' && kind !== 'rollout-trees',
  show: (data) => ('images' in data ? showPictured(data) : showRow(fromColumns(data))),
  companions: () => [],
  usage,
  reads: 'the rows of our Parquet files, as JSON',
  recognises: (row) => 'messages' in row && typeof row.type === 'string',
  read,
}

const turnSchema = messageSchema.extend({ weight: z.number().nullish(), reasoning: z.string().nullish() })
const turnsSchema = z.array(turnSchema.transform(toTurn)).optional()
const columnsSchema = z.looseObject({
  messages: turnsSchema,
  prompt: turnsSchema,
  chosen: turnsSchema,
  rejected: turnsSchema,
  completion: turnsSchema,
  reference: z.string().optional(),
  tools: z.string().nullish(),
})

function toTurn({ weight, reasoning, ...turn }: z.infer<typeof turnSchema>) {
  return {
    ...turn,
    ...(reasoning != null && { reasoning }),
    ...(weight != null && { weight }),
  }
}

function fromColumns(data: JsonObject): DatasetRow {
  const { reference, tools, ...rest } = columnsSchema.parse(data)
  return datasetRowSchema.parse({
    ...rest,
    ...(tools != null && { tools: JSON.parse(tools) }),
    ...(reference !== undefined && { reference: JSON.parse(reference) }),
  })
}

/**
 * A row with pictures, as Hugging Face's datasets and chat templates of vision models have them. Contents are lists
 * of parts, and `images` fills the placeholders, part after part in the order of the columns. The file has the
 * pictures' bytes.
 */
function inColumns(row: DatasetRow): JsonObject {
  switch (row.type) {
    case 'conversation': {
      const weights = row.messages.map(({ weight }) => ({ weight: weight ?? null }))
      const messages = placeMessages(row.messages).map((turn, index) => ({ ...turn, ...weights[index] }))
      return { type: row.type, messages, images: pictureFiles(row.messages), ...toolsText(row) }
    }
    case 'preference': {
      const { type, prompt, chosen, rejected } = row
      const images = pictureFiles([...prompt, ...chosen, ...rejected])
      const sides = { chosen: placeMessages(chosen), rejected: placeMessages(rejected) }
      return { type, prompt: placeMessages(prompt), ...sides, images, ...toolsText(row) }
    }
    case 'unpaired': {
      const { type, prompt, completion, label } = row
      const images = pictureFiles([...prompt, ...completion])
      const turns = { prompt: placeMessages(prompt), completion: placeMessages(completion) }
      return { type, ...turns, label, images, ...toolsText(row) }
    }
    case 'prompt': {
      const { type, prompt, reference } = row
      const images = pictureFiles(prompt)
      const turns = { prompt: placeMessages(prompt), reference: JSON.stringify(reference) }
      return { type, ...turns, images, ...toolsText(row) }
    }
    case 'process':
    case 'rollout':
    case 'rollout-tree':
      throw unsupportedRow('parquet', row.type)
  }
}

const picturedSchema = imagesSchema.extend({
  label: z.boolean().optional(),
  messages: z.array(z.looseObject({ weight: z.number().nullish() })).optional(),
})

function showPictured(data: JsonObject): ShownPart[] {
  const { images = [], label, messages } = picturedSchema.parse(data)
  const turnsOf = openTurns(images)
  if (messages !== undefined) {
    return [showPart('messages', turnsOf(messages), (_, index) => messages[index]?.weight === 1)]
  }
  const names = (['prompt', 'chosen', 'rejected', 'completion'] as const).filter((name) => name in data)
  return names.map((name) => {
    const part = showPart(name, turnsOf(data[name]), name === 'prompt' ? contextOnly : theModels)
    return name === 'completion' && label !== undefined ? { ...part, label } : part
  })
}

const readRowSchema = z.looseObject({ type: z.string(), messages: rawTurnsSchema })

/** Among the canonical row's types, only a conversation is a trajectory. */
function read(row: Record<string, unknown>): ReadTrajectory {
  if (row.type !== 'conversation') {
    throw new BadRowError('type', 'only a row of the type "conversation" is a trajectory')
  }
  const { messages } = checkShape(readRowSchema, row)
  return { ...nothingSaid, body: { turns: toTurns(messages, 'messages') } }
}

function withWeight({ weight, ...message }: WeightedMessage): JsonObject {
  return { ...withThoughts(message), weight: weight ?? null }
}

function withThoughts({ role, content, reasoning }: RowMessage): JsonObject {
  return { role, content, reasoning: reasoning ?? null }
}

function toolsText(row: DatasetRow): { tools: string | null } {
  const tools = toolsOfRow(row)
  return { tools: tools === undefined ? null : JSON.stringify(tools) }
}

const pictured =
  'Each `content` is a list of parts: a text, and a part of the type `image` for each picture after it. The column `images` has the pictures in the order of these places, prompt first; `datasets` makes PIL images of them (Pillow must be installed), and for others each is its bytes and its name.'

function usage(facts: FormatFacts): string {
  const { kind } = facts
  const [[split] = ['train']] = filledSplits(facts)
  const note = kind === 'prompts' ? '\n\n`reference` is JSON: `json.loads(row["reference"])`.' : ''
  return `### Hugging Face datasets, pandas, DuckDB

\`\`\`python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", split="${split}")
\`\`\`

Lists and structs are Parquet’s own, so \`messages\` is a list of \`role\`, \`content\` and, where a turn is the model’s, \`weight\` and \`reasoning\`. \`tools\` is JSON, and null if the agent acted by text.${note}${facts.isPictured ? `\n\n${pictured}` : ''}`
}
