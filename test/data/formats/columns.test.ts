import { expect, test } from 'vitest'
import type { DatasetKindId } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetRow, RowMessage, RowOf, RowTool } from '../../../shared/core/contracts/dataset-row.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { ColumnType } from '../../../shared/data/formats/column-types.ts'
import { datasetFormats } from '../../../shared/data/formats/formats.ts'
import { UnfitRowError } from '../../../shared/data/formats/trainer-format.ts'
import { writeAnswer } from '../../../shared/play/answers/write-calls.ts'
import { samples, says, sees, system, talk, weighs, write } from './sample-rows.ts'

const tools: RowTool[] = [
  { name: 'get', description: 'Fetches.', schema: { type: 'object', properties: {} } },
]
const calls = (words: string, given: JsonObject): RowMessage => {
  const call = { name: 'get', arguments: JSON.stringify(given) }
  return says(writeAnswer(words, [{ id: '', type: 'function', function: call }]))
}
const go = sees('Goal.')
const seen: RowMessage = {
  ...go,
  pictures: [{ type: 'blob', sha256: 'a'.repeat(64), media_type: 'image/png', width: 4, height: 4 }],
}
const thinks: RowMessage = { ...says('get log'), reasoning: 'A log first.' }
const reference = { environment: 'textcraft', data: null, task: 'stick', seed: 1, attempts: 2 }

const conversations: DatasetRow[] = [
  talk(go, weighs('get log', 1)),
  talk(system, go, weighs('OK', 0), sees('Go on.'), weighs('get log', 1)),
  talk(go, { ...thinks, weight: 1 }),
  talk(system, seen, weighs('get log', 1)),
  { ...talk(go, { ...calls('', { item: 'log' }), weight: 1 }), tools },
]
const pairs: DatasetRow[] = [
  { type: 'preference', prompt: [go], chosen: [says('get log')], rejected: [says('look')] },
  { type: 'preference', prompt: [system, seen], chosen: [says('get log')], rejected: [says('look')] },
  { type: 'preference', prompt: [go], chosen: [thinks], rejected: [says('look')] },
  {
    type: 'preference',
    prompt: [go, calls('', {}), sees('Got.')],
    chosen: [calls('Now:', { item: 'log' })],
    rejected: [calls('', { count: 2 })],
    tools,
  },
]
const whole = { ...samples.rollouts, reward: 1, advantages: [1, 1, 0, 1] } as unknown as RowOf<'rollout'>
const tree = samples['rollout-trees'] as unknown as RowOf<'rollout-tree'>
const path = samples['process-reward'] as unknown as RowOf<'process'>

// Rows of one dataset, whose structure the first of them need not show.
const rowsOf: Record<DatasetKindId, readonly DatasetRow[]> = {
  sft: conversations,
  revision: conversations,
  exploration: conversations,
  preference: pairs,
  'step-preference': pairs,
  unpaired: [says('get log'), thinks, calls('', { item: 'log' })].flatMap((turn): DatasetRow[] => {
    const row = { type: 'unpaired' as const, completion: [turn], label: true }
    return [
      { ...row, prompt: [go], ...(turn.content.includes('tool_call') && { tools }) },
      { ...row, prompt: [system, seen] },
    ]
  }),
  'process-reward': [{ ...path, values: [1, 0] }, path],
  prompts: [
    { type: 'prompt', prompt: [go], reference: { ...reference, mean_reward: 1, success_rate: 0 } },
    {
      type: 'prompt',
      prompt: [system, seen],
      reference: { ...reference, data: 'own', mean_reward: 0.5, success_rate: 0.5 },
    },
    { type: 'prompt', prompt: [go], reference: { ...reference, mean_reward: 1, success_rate: 0 }, tools },
  ],
  rollouts: [
    whole,
    { ...whole, reward: 0.5, temperature: 0.7, advantages: [0.5, 0.5, 0, 0.5] },
    { ...whole, temperature: null, advantages: null },
  ],
  'rollout-trees': [
    { ...tree, branches: [{ segment: 2, part: 0, parts: 1, reward: 1, advantages: [] }] },
    { ...tree, temperature: 0.5 },
  ],
}

const textFormats = datasetFormats.filter(({ container }) => container !== 'parquet')
const datasets = textFormats.flatMap((format) =>
  format.kinds.flatMap((kind) =>
    [false, true]
      .filter((isPictured) => !isPictured || format.pictures?.kinds.includes(kind))
      .map((isPictured) => ({ format, kind, isPictured })),
  ),
)

function writeAll(format: string, kind: DatasetKindId, isPictured: boolean, rows: readonly DatasetRow[]) {
  return rows.flatMap((row) => {
    try {
      return [write(format, kind, row, { isPictured })]
    } catch (error) {
      if (error instanceof UnfitRowError) return []
      throw error
    }
  })
}

const shows = (row: DatasetRow) => JSON.stringify(row).includes('"pictures"')

test.each(datasets)(
  '$format.id, $kind, pictures: $isPictured: columns are those of every row, or of one shape',
  ({ format, kind, isPictured }) => {
    for (const structure of [
      { calls: false, thoughts: false },
      { calls: true, thoughts: true },
    ]) {
      const rows = rowsOf[kind].filter(
        (row) =>
          (isPictured || !shows(row)) &&
          (structure.calls || !('tools' in row)) &&
          (structure.thoughts || !JSON.stringify(row).includes('"reasoning"')),
      )
      const written = writeAll(format.id, kind, isPictured, rows)
      expect(written.length).toBeGreaterThan(0)
      const columns = format.columns?.(kind, isPictured, structure) ?? null
      if (columns === null) expect(new Set(written.map(shapeOf)).size).toBe(1)
      else for (const row of written) expect(misfits(columns, row)).toEqual([])
    }
  },
)

// Fields of an object without a column of their type.
function misfits(columns: readonly ColumnType[], given: object): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const column = columns.find((each) => each.name === name)
    return column === undefined || !takes(column, value) ? [`${name}: ${JSON.stringify(value)}`] : []
  })
}

function takes({ dtype, list, struct }: ColumnType, value: unknown): boolean {
  if (value === null || dtype === 'json') return true
  if (struct !== undefined) return typeof value === 'object' && misfits(struct, value).length === 0
  if (Array.isArray(value)) {
    return (
      list !== undefined &&
      value.every((each) =>
        typeof list === 'string'
          ? takes({ name: '', dtype: list }, each)
          : misfits(list, each as object).length === 0,
      )
    )
  }
  if (dtype === 'int64') return Number.isInteger(value)
  return typeof value === { string: 'string', float64: 'number', bool: 'boolean' }[dtype ?? '']
}

// The types that `datasets` would read off: whole numbers, null and empty lists are types of their own.
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].toSorted().join(' or ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([name, each]) => `${name}: ${shapeOf(each)}`)}}`
  }
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return value === null ? 'null' : typeof value
}
