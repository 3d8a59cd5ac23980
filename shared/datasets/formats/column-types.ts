import type { DatasetFormatId, DatasetKindId } from '../../contracts/dataset.ts'

/** A column as the YAML of a dataset card has it. */
export interface ColumnType {
  name: string
  dtype?: string
  list?: string | ColumnType[]
  struct?: ColumnType[]
}

const textOf = (name: string): ColumnType => ({ name, dtype: 'string' })
const numberOf = (name: string): ColumnType => ({ name, dtype: 'float64' })
const countOf = (name: string): ColumnType => ({ name, dtype: 'int64' })

const message = [textOf('role'), textOf('content')]

const reference = {
  name: 'reference',
  struct: [
    ...['environment', 'data', 'task'].map(textOf),
    countOf('seed'),
    ...['mean_reward', 'success_rate'].map(numberOf),
    countOf('attempts'),
  ],
}

/**
 * The columns of rows whose JSON does not determine them: `datasets.load_dataset` takes the types of the first rows for those of all, and
 * refuses a file in which a value that was whole has a fraction, was null and is a text, or a field comes in that was not there
 * (5.2.0). Null where the first rows determine them.
 */
export function columnTypes(format: DatasetFormatId, kind: DatasetKindId): ColumnType[] | null {
  if (kind === 'prompts') {
    if (format === 'trl') return [{ name: 'prompt', list: message }, reference]
    return format === 'openai' ? [{ name: 'messages', list: message }, reference] : null
  }
  if (kind === 'process-reward' && format === 'trl') {
    return [
      textOf('prompt'),
      { name: 'completions', list: 'string' },
      { name: 'labels', list: 'bool' },
      { name: 'values', list: 'float64' },
    ]
  }
  const hasWeights = kind === 'sft' || kind === 'revision' || kind === 'exploration'
  if (format === 'openai' && hasWeights) return [{ name: 'messages', list: [...message, countOf('weight')] }]
  return null
}
