import type { SchemaElement } from 'hyparquet-writer'
import type { RowType } from '../../core/contracts/dataset-row.ts'

type Column = [SchemaElement, ...SchemaElement[]]

const text = (name: string): Column => [leaf(name, { type: 'BYTE_ARRAY', converted_type: 'UTF8' })]
const flag = (name: string): Column => [leaf(name, { type: 'BOOLEAN' })]
const number = (name: string): Column => [leaf(name, { type: 'DOUBLE' })]

/** Columns that most rows leave empty: the offered tools as JSON, and a model's thoughts beside its answer. */
const tools = optional(text('tools'))
const reasoning = optional(text('reasoning'))

const turn = struct('element', [text('role'), text('content'), reasoning])
const weightedTurn = struct('element', [
  text('role'),
  text('content'),
  reasoning,
  [{ name: 'weight', type: 'INT32', repetition_type: 'OPTIONAL' }],
])

const part = struct('element', [text('type'), optional(text('text'))])
const thoughts = optional(text('reasoning_content'))
const parts = struct('element', [text('role'), list('content', part), thoughts])
const weightedParts = struct('element', [
  text('role'),
  list('content', part),
  thoughts,
  [{ name: 'weight', type: 'INT32', repetition_type: 'OPTIONAL' }],
])
/** Hugging Face's feature `Image`, with nullable fields in Arrow: the bytes of the file, and its name. */
const image: Column = [
  { name: 'element', repetition_type: 'OPTIONAL', num_children: 2 },
  { name: 'bytes', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY' },
  { name: 'path', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
]
const images = optional(list('images', image))

const count = (name: string): Column => [leaf(name, { type: 'INT32' })]
const sampled = [
  text('type'),
  text('group'),
  count('members'),
  list('versions', text('element')),
  optional(number('temperature')),
]

export const imagesColumn = 'images'

const picturedColumns: Record<RowType, Column[]> = {
  conversation: [text('type'), list('messages', weightedParts), images, tools],
  preference: [
    text('type'),
    list('prompt', parts),
    list('chosen', parts),
    list('rejected', parts),
    images,
    tools,
  ],
  unpaired: [text('type'), list('prompt', parts), list('completion', parts), flag('label'), images, tools],
  process: [],
  prompt: [text('type'), list('prompt', parts), text('reference'), images, tools],
  rollout: [],
  'rollout-tree': [],
}

/** The columns of each type of canonical row; Apache Parquet's LogicalTypes.md, "Lists", for lists. */
const columns: Record<RowType, Column[]> = {
  conversation: [text('type'), list('messages', weightedTurn), tools],
  preference: [text('type'), list('prompt', turn), list('chosen', turn), list('rejected', turn), tools],
  unpaired: [text('type'), list('prompt', turn), list('completion', turn), flag('label'), tools],
  process: [
    text('type'),
    list('prompt', turn),
    list('completions', text('element')),
    list('labels', flag('element')),
    list('values', number('element')),
  ],
  // A reference has each environment's own shape, so it stays JSON.
  prompt: [text('type'), list('prompt', turn), text('reference'), tools],
  rollout: [
    ...sampled,
    ...['part', 'parts'].map(count),
    ...['prompt_ids', 'completion_ids', 'completion_mask'].map((name) => list(name, count('element'))),
    list('logprobs', optional(number('element'))),
    number('reward'),
    optional(list('advantages', number('element'))),
  ],
  'rollout-tree': [
    ...sampled,
    list(
      'segments',
      struct('element', [
        optional(count('parent')),
        list('ids', count('element')),
        flag('learned'),
        list('logprobs', optional(number('element'))),
      ]),
    ),
    list(
      'branches',
      struct('element', [
        ...['segment', 'part', 'parts'].map(count),
        number('reward'),
        list('advantages', number('element')),
      ]),
    ),
    count('flat_tokens'),
  ],
}

export function parquetColumns(type: RowType, isPictured: boolean): string[] {
  return columnsOf(type, isPictured).map(([{ name }]) => name)
}

export function parquetSchema(type: RowType, isPictured: boolean): SchemaElement[] {
  const all = columnsOf(type, isPictured)
  return [{ name: 'root', num_children: all.length }, ...all.flat()]
}

/**
 * Marks a column as pictures for Hugging Face's `datasets` (5.2.0, `Features.from_arrow_schema`); it reads the other
 * columns from the schema.
 */
export const imagesMetadata = {
  key: 'huggingface',
  value: JSON.stringify({
    info: { features: { [imagesColumn]: { feature: { _type: 'Image' }, _type: 'List' } } },
  }),
}

function columnsOf(type: RowType, isPictured: boolean): Column[] {
  return isPictured ? picturedColumns[type] : columns[type]
}

function optional([first, ...rest]: Column): Column {
  return [{ ...first, repetition_type: 'OPTIONAL' }, ...rest]
}

function leaf(name: string, type: Partial<SchemaElement>): SchemaElement {
  return { name, repetition_type: 'REQUIRED', ...type }
}

function list(name: string, element: Column): Column {
  return [
    { name, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...element,
  ]
}

function struct(name: string, fields: Column[]): Column {
  return [{ name, repetition_type: 'REQUIRED', num_children: fields.length }, ...fields.flat()]
}
