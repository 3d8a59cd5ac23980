import { z } from 'zod'
import { datasetKindSchema } from '../contracts/dataset.ts'
import { type DatasetRow, datasetRowSchema, type WeightedMessage } from '../contracts/dataset-row.ts'
import type { JsonObject } from '../contracts/json.ts'
import { messageSchema } from '../contracts/message.ts'
import { BadRowError, checkShape } from './bad-row-error.ts'
import { messagesSchema, toTurns } from './chat-messages.ts'
import { filledSplits } from './data-files.ts'
import { nothingSaid, type ReadTrajectory } from './read-trajectory.ts'
import { showRow } from './shown-parts.ts'
import type { DatasetFormat, FormatFacts } from './trainer-format.ts'

/** The canonical row in columns, all of it: for analysis, and for trainers that no other format serves. */
export const parquet: DatasetFormat = {
  id: 'parquet',
  description: 'Apache Parquet of the rows as they are, weights and values included.',
  container: 'parquet',
  readsGzip: true,
  kinds: datasetKindSchema.options,
  write(row): JsonObject {
    switch (row.type) {
      case 'conversation':
        return { type: row.type, messages: row.messages.map(withWeight) }
      case 'prompt':
        return { ...row, reference: JSON.stringify(row.reference) }
      default:
        return { ...row }
    }
  },
  show: (data) => showRow(fromColumns(data)),
  companions: () => [],
  usage,
  reads: 'the rows of our Parquet files, as JSON',
  recognises: (row) => 'messages' in row && typeof row.type === 'string',
  read,
}

const columnsSchema = z.looseObject({
  messages: z.array(messageSchema.extend({ weight: z.number().nullable() })).optional(),
  reference: z.string().optional(),
})

/** The canonical row that {@link parquet} wrote in columns. */
function fromColumns(data: JsonObject): DatasetRow {
  const { messages, reference, ...rest } = columnsSchema.parse(data)
  return datasetRowSchema.parse({
    ...rest,
    ...(messages !== undefined && {
      messages: messages.map(({ weight, ...turn }) => (weight === null ? turn : { ...turn, weight })),
    }),
    ...(reference !== undefined && { reference: JSON.parse(reference) }),
  })
}

const readRowSchema = z.looseObject({ type: z.string(), messages: messagesSchema })

/** Of the canonical row's types, a conversation is a trajectory. */
function read(row: Record<string, unknown>): ReadTrajectory {
  if (row.type !== 'conversation') {
    throw new BadRowError('type', 'only a row of the type "conversation" is a trajectory')
  }
  const { messages } = checkShape(readRowSchema, row)
  return { ...nothingSaid, body: { turns: toTurns(messages, 'messages') } }
}

/** Turns that are not the model's have no weight. */
function withWeight({ role, content, weight }: WeightedMessage): JsonObject {
  return { role, content, weight: weight ?? null }
}

function usage(facts: FormatFacts): string {
  const { kind } = facts
  const [[split] = ['train']] = filledSplits(facts)
  const note = kind === 'prompts' ? '\n\n`reference` is JSON: `json.loads(row["reference"])`.' : ''
  return `### Hugging Face datasets, pandas, DuckDB

\`\`\`python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", split="${split}")
\`\`\`

Lists and structs are Parquet’s own, so \`messages\` is a list of \`role\`, \`content\` and, where a turn is the model’s, \`weight\`.${note}`
}
