import { z } from 'zod'
import { datasetKindSchema } from '../../contracts/dataset.ts'
import { type DatasetRow, datasetRowSchema, type WeightedMessage } from '../../contracts/dataset-row.ts'
import type { JsonObject } from '../../contracts/json.ts'
import { messageSchema } from '../../contracts/message.ts'
import type { DatasetFormat, FormatFacts } from '../format.ts'
import { showRow } from '../show-row.ts'
import { filledSplits } from './filled-splits.ts'

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
  show: (data) => showRow(readRow(data)),
  companions: () => [],
  usage,
}

const columnsSchema = z.looseObject({
  messages: z.array(messageSchema.extend({ weight: z.number().nullable() })).optional(),
  reference: z.string().optional(),
})

/** The canonical row that {@link parquet} wrote in columns. */
function readRow(data: JsonObject): DatasetRow {
  const { messages, reference, ...rest } = columnsSchema.parse(data)
  return datasetRowSchema.parse({
    ...rest,
    ...(messages !== undefined && {
      messages: messages.map(({ weight, ...turn }) => (weight === null ? turn : { ...turn, weight })),
    }),
    ...(reference !== undefined && { reference: JSON.parse(reference) }),
  })
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
