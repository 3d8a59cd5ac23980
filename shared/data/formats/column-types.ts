export interface ColumnType {
  name: string
  dtype?: string
  list?: string | ColumnType[]
  struct?: ColumnType[]
}

export const textColumn = (name: string): ColumnType => ({ name, dtype: 'string' })
export const numberColumn = (name: string): ColumnType => ({ name, dtype: 'float64' })
export const countColumn = (name: string): ColumnType => ({ name, dtype: 'int64' })

/** A list of any JSON objects, which `datasets` (4.7 and later) keeps as they are. */
export const jsonColumn = (name: string): ColumnType => ({ name, list: 'json' })

export const messageColumns: ColumnType[] = [textColumn('role'), textColumn('content')]

/** A prompt's verifier settings, whose numbers may be whole in the first rows. */
export const referenceColumn: ColumnType = {
  name: 'reference',
  struct: [
    ...['environment', 'data', 'task'].map(textColumn),
    countColumn('seed'),
    ...['mean_reward', 'success_rate'].map(numberColumn),
    countColumn('attempts'),
  ],
}
