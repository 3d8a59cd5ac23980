import type { SchemaElement } from 'hyparquet-writer'
import type { RowType } from '../contracts/dataset-row.ts'

/** A column, as the elements of Parquet's schema that describe it, its own first. */
type Column = [SchemaElement, ...SchemaElement[]]

const text = (name: string): Column => [leaf(name, { type: 'BYTE_ARRAY', converted_type: 'UTF8' })]
const flag = (name: string): Column => [leaf(name, { type: 'BOOLEAN' })]
const number = (name: string): Column => [leaf(name, { type: 'DOUBLE' })]

const turn = struct('element', [text('role'), text('content')])
const weightedTurn = struct('element', [
  text('role'),
  text('content'),
  [{ name: 'weight', type: 'INT32', repetition_type: 'OPTIONAL' }],
])

/** What a canonical row of each type is in columns; Apache Parquet's LogicalTypes.md, "Lists", for lists. */
const columns: Record<RowType, Column[]> = {
  conversation: [text('type'), list('messages', weightedTurn)],
  preference: [text('type'), list('prompt', turn), list('chosen', turn), list('rejected', turn)],
  unpaired: [text('type'), list('prompt', turn), list('completion', turn), flag('label')],
  process: [
    text('type'),
    list('prompt', turn),
    list('completions', text('element')),
    list('labels', flag('element')),
    list('values', number('element')),
  ],
  // What a reference holds is each environment's own, so it stays JSON.
  prompt: [text('type'), list('prompt', turn), text('reference')],
}

/** The names of the columns, in their order. */
export function parquetColumns(type: RowType): string[] {
  return columns[type].map(([{ name }]) => name)
}

/** The file's schema. */
export function parquetSchema(type: RowType): SchemaElement[] {
  return [{ name: 'root', num_children: columns[type].length }, ...columns[type].flat()]
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
