import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PartRow, PieceWriter, readPartRows } from '../../../../shared/data/datasets/build/part-rows.ts'

/** Packs rows as a part does, and reads them again. */
async function throughPieces(tasks: PartRow[][]): Promise<{ rows: PartRow[]; pieces: number }> {
  const stored: Uint8Array[] = []
  const writer = new PieceWriter(async (piece, body) => {
    expect(piece).toBe(stored.length)
    stored.push(body)
  })
  for (const row of tasks.flat()) await writer.add(row)
  const { count: pieces } = await writer.end()
  async function* bodies() {
    for (const [index, body] of stored.entries()) yield { body, tasks: index === 0 ? 'tasks' : null }
  }
  const rows: PartRow[] = []
  for await (const batch of readPartRows(bodies())) rows.push(...batch.rows)
  return { rows, pieces }
}

const anyRow: fc.Arbitrary<PartRow> = fc.record({
  task: fc.nat(),
  marks: fc.record({
    tokens: fc.nat(),
    sha256: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
    prompt: fc.string(),
    empty_turn: fc.boolean(),
    mask: fc.option(fc.string()),
  }),
  same_action: fc.boolean(),
  pictures: fc.array(fc.string()),
  left_out_pictures: fc.nat(),
  calls: fc.boolean(),
  thoughts: fc.nat(),
  flat_tokens: fc.nat(),
  unfit: fc.option(fc.string()),
  lineage: fc.json(),
  text: fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify({ text })),
})

test('rows come back as they went in, whatever they hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyRow)), async (tasks) => {
      expect((await throughPieces(tasks)).rows).toEqual(tasks.flat())
    }),
  )
})

test('tasks of many megabytes are divided into frames, and come back in order', async () => {
  const long = (seed: number): PartRow => ({
    task: seed,
    marks: { tokens: seed, sha256: 'a', prompt: 'b', empty_turn: false, mask: null },
    same_action: false,
    pictures: [],
    left_out_pictures: 0,
    calls: false,
    thoughts: 0,
    flat_tokens: 0,
    unfit: null,
    lineage: '{}',
    text: JSON.stringify({ text: `${seed} `.repeat(60_000) }),
  })
  const tasks = [0, 1, 2].map((task) => Array.from({ length: 15 }, (_, row) => long(task * 100 + row)))
  const { rows, pieces } = await throughPieces(tasks)
  expect(rows).toEqual(tasks.flat())
  expect(pieces).toBe(1)
})

test('without a row there is no piece', async () => {
  expect(await throughPieces([[], []])).toEqual({ rows: [], pieces: 0 })
})
