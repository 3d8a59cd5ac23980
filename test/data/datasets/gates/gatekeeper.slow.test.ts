import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DatasetGates,
  type DatasetKindId,
  gatesSchema,
} from '../../../../shared/core/contracts/dataset.ts'
import { datasetKinds } from '../../../../shared/data/datasets/dataset-kinds.ts'
import { DigestTable } from '../../../../shared/data/datasets/gates/digest-table.ts'
import { Gatekeeper, type GateRow } from '../../../../shared/data/datasets/gates/gatekeeper.ts'

const digest = (value: number | string) => hash('sha256', String(value), 'hex')

function gateRow(row: Partial<GateRow> = {}): GateRow {
  const task = row.task ?? 't1'
  return {
    task,
    task_split: 'train',
    prompt: digest(task).slice(0, 32),
    sha256: digest(JSON.stringify(row)),
    tokens: 10,
    empty_turn: false,
    mask: null,
    unfit: false,
    split: 0,
    ...row,
  }
}

function keeper(gates: Partial<DatasetGates> = {}, kind: DatasetKindId = 'sft'): Gatekeeper {
  return new Gatekeeper(gatesSchema.parse(gates), kind)
}

describe('each gate', () => {
  const bad = {
    wrong_loss_mask: gateRow({ mask: 'no turn is learned' }),
    unfit: gateRow({ unfit: true }),
    held_out: gateRow({ task: 't2', task_split: 'test' }),
    empty_turns: gateRow({ empty_turn: true }),
    max_tokens: gateRow({ tokens: 101 }),
    same_action: gateRow({ same_action: true }),
  }

  test.each(Object.entries(bad))('%s drops what it finds and counts it', (gate, row) => {
    const gates = keeper({ max_tokens: 100 }, 'step-preference')
    expect(gates.take(row)).toBe(gate)
    expect(gates.take(gateRow())).toBeNull()
    expect(gates.counts()[gate]).toEqual({ found: 1, dropped: 1 })
    expect(gates.tokens()).toEqual({ tokenizer: 'estimate', total: 10, longest: 10 })
  })

  test.each(['held_out', 'empty_turns'] as const)('%s counts what it is set to keep', (gate) => {
    const gates = keeper({ [gate]: 'keep' })
    expect(gates.take(bad[gate])).toBeNull()
    expect(gates.counts()[gate]).toEqual({ found: 1, dropped: 0 })
  })

  test('duplicates are found by the digest of the row, and only among rows that are in', () => {
    const gates = keeper()
    const row = gateRow({ sha256: digest('same') })
    expect(gates.take({ ...row, unfit: true })).toBe('unfit')
    expect(gates.take(row)).toBeNull()
    expect(gates.take(row)).toBe('duplicates')
    expect(gates.counts().duplicates).toEqual({ found: 1, dropped: 1 })
    const kept = keeper({ duplicates: 'keep' })
    expect([kept.take(row), kept.take(row), kept.take(row)]).toEqual([null, null, null])
    expect(kept.counts().duplicates).toEqual({ found: 2, dropped: 0 })
  })

  test.each(datasetKinds.map(({ id }) => id))(
    'duplicates of %s are dropped, unless they are samples',
    (kind) => {
      const isSample = kind === 'rollouts' || kind === 'rollout-trees'
      const gates = keeper({}, kind)
      const row = gateRow()
      expect([gates.take(row), gates.take(row)]).toEqual([null, isSample ? null : 'duplicates'])
      expect(gates.counts().duplicates).toEqual({ found: 1, dropped: isSample ? 0 : 1 })
    },
  )

  test('a task that the environment does not know is not held out', () => {
    expect(keeper().take(gateRow({ task_split: null }))).toBeNull()
  })

  test('gates that found nothing are listed too, max_tokens only where it is asked for', () => {
    const names = ['wrong_loss_mask', 'unfit', 'held_out', 'empty_turns', 'duplicates', 'leaks']
    expect(Object.keys(keeper().counts())).toEqual(names)
    expect(Object.keys(keeper({ max_tokens: 5 }).counts())).toContain('max_tokens')
  })
})

describe('leaks', () => {
  test.each<[string, Partial<GateRow>]>([
    ['a task', { task: 't1', prompt: digest('other').slice(0, 32) }],
    ['a prompt', { task: 't2', prompt: digest('t1').slice(0, 32) }],
  ])('%s in a second split is dropped', (_, row) => {
    const gates = keeper()
    expect(gates.take(gateRow())).toBeNull()
    expect(gates.take(gateRow({ ...row, split: 1 }))).toBe('leaks')
    expect(gates.take(gateRow({ ...row, split: 0 }))).toBeNull()
    expect(gates.counts().leaks).toEqual({ found: 1, dropped: 1 })
  })

  test('there are none where all rows are in one split', () => {
    const gates = keeper()
    const rows = [gateRow({ split: null }), gateRow({ split: null, prompt: digest('other').slice(0, 32) })]
    expect(rows.map((row) => gates.take(row))).toEqual([null, null])
  })

  test('a prompt of a task that is held out comes in under no other name, wherever it stands in the order', () => {
    const heldOut = gateRow({
      task: 'test-task',
      task_split: 'test',
      prompt: digest('held out').slice(0, 32),
    })
    const twin = gateRow({ task: 'train-task', prompt: heldOut.prompt })
    const gates = keeper()
    expect([twin, heldOut].map((row) => gates.foresee(row))).toEqual([true, false])
    expect([gates.take(twin), gates.take(heldOut)]).toEqual(['leaks', 'held_out'])
    const keeping = keeper({ held_out: 'keep' })
    expect([twin, heldOut].map((row) => keeping.foresee(row))).toEqual([true, true])
    expect([keeping.take(twin), keeping.take(heldOut)]).toEqual([null, null])
  })
})

test('every row is in or counted as dropped by one gate', () => {
  const rows = fc.array(
    fc.record({
      task: fc.nat(5).map((each) => `t${each}`),
      task_split: fc.constantFrom('train', 'test', null),
      sha256: fc.nat(20).map(digest),
      tokens: fc.integer({ min: 1, max: 60 }),
      empty_turn: fc.boolean(),
      mask: fc.constantFrom(null, null, 'no turn is learned'),
      unfit: fc.boolean(),
      split: fc.nat(1),
    }),
  )
  const action = fc.constantFrom('drop' as const, 'keep' as const)
  const requests = fc.record({
    duplicates: action,
    held_out: action,
    empty_turns: action,
    max_tokens: fc.constantFrom(null, 50),
  })
  fc.assert(
    fc.property(rows, requests, (all, request) => {
      const gates = keeper(request)
      const outcomes = all.map((row) => gates.take(gateRow(row)))
      const dropped = Object.values(gates.counts()).reduce((sum, each) => sum + each.dropped, 0)
      expect(dropped + outcomes.filter((outcome) => outcome === null).length).toBe(all.length)
      for (const [gate, { found, dropped: own }] of Object.entries(gates.counts())) {
        expect(own).toBe(outcomes.filter((outcome) => outcome === gate).length)
        expect(found).toBeGreaterThanOrEqual(own)
      }
      const inside = all.filter((_, index) => outcomes[index] === null)
      expect(gates.tokens().total).toBe(inside.reduce((sum, { tokens }) => sum + tokens, 0))
      if (request.duplicates === 'drop') {
        expect(new Set(inside.map(({ sha256 }) => sha256)).size).toBe(inside.length)
      }
    }),
  )
})

test('a table of digests answers as a map does, and holds a million in less than 100 MB', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3000), fc.nat(254)), { maxLength: 3000 }), (entries) => {
      const table = new DigestTable()
      const map = new Map<string, number>()
      for (const [key, value] of entries) {
        expect(table.get(digest(key))).toBe(map.get(digest(key)))
        table.set(digest(key), value)
        map.set(digest(key), value)
      }
      expect(table.size).toBe(map.size)
      for (const [key, value] of map) expect(table.get(key)).toBe(value)
    }),
    { numRuns: 20 },
  )
  const before = process.memoryUsage().arrayBuffers
  const table = new DigestTable()
  for (let index = 0; index < 1_000_000; index += 1) {
    // A mix that is spread over all of a digest's digits, and cheaper than a million of them.
    const word = (Math.imul(index, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
    table.set(`${word}${word.split('').reverse().join('')}${word}${word}`, 1)
  }
  expect(table.size).toBe(1_000_000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6)
})
