import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  accessibilityColumns,
  tableAccessibilityTree,
} from '../../../shared/environments/osworld/observations/accessibility-table.ts'
import { openTableBound } from '../../../shared/environments/osworld/observations/bound-table.ts'
import {
  findDesktopMarks,
  tableDesktopMarks,
} from '../../../shared/environments/osworld/observations/desktop-marks.ts'
import {
  describeDesktop,
  findDesktopTable,
} from '../../../shared/environments/osworld/observations/desktop-observation.ts'
import { readAccessibleNodes } from '../../../shared/environments/osworld/observations/read-accessible-nodes.ts'
import recorded from './recorded/desktop.json' with { type: 'json' }

/** Made for this test; what OSWorld's own Python makes of it was recorded. */
const xml = readFileSync(join(import.meta.dirname, 'recorded/desktop.xml'), 'utf8')

describe('an accessibility tree', () => {
  test('is the table that OSWorld makes of it', () => {
    expect(tableAccessibilityTree(xml)).toBe(recorded.table)
  })

  test('that is empty is a table without rows', () => {
    expect(tableAccessibilityTree('<desktop-frame/>')).toBe(accessibilityColumns)
  })

  test('that is no XML is an error', () => {
    expect(() => readAccessibleNodes('<desktop-frame><menu></desktop-frame>')).toThrow(/unexpected close tag/)
    expect(() => readAccessibleNodes('')).toThrow()
  })

  test('has marks as OSWorld draws them, without one on what has one colour only', () => {
    const isPlain = ({ x, y }: { x: number; y: number }) => x === 700 && y === 300
    const marks = findDesktopMarks(xml, isPlain)
    expect(marks.map(({ x, y, width, height }) => [x, y, width, height])).toEqual(recorded.marks)
    expect(tableDesktopMarks(marks)).toBe(recorded.marks_table)
    expect(findDesktopMarks(xml, () => false)).toHaveLength(marks.length + 1)
  })
})

describe('the bound of a table', () => {
  test('leaves a table alone that is within it, and cuts another at a token, saying so', async () => {
    const bound = await openTableBound()
    expect(bound(recorded.table, 10_000)).toBe(recorded.table)
    const cut = bound(recorded.table, 60)
    const kept = cut.slice(0, -'[...]\n'.length)
    expect(cut.endsWith('[...]\n')).toBe(true)
    expect(recorded.table.startsWith(kept)).toBe(true)
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base')
    expect(countTokens(kept)).toBeLessThanOrEqual(60)
    expect(countTokens(kept)).toBeGreaterThan(55)
  })

  test('never cuts through a character', async () => {
    const bound = await openTableBound()
    const table = '試験🙂'.repeat(200)
    for (const tokens of [101, 102, 103, 104, 105]) {
      const kept = bound(table, tokens).slice(0, -'[...]\n'.length)
      expect(table.startsWith(kept)).toBe(true)
    }
  })
})

test('an observation says the objective, what went wrong, and what is seen', () => {
  const text = describeDesktop({ instruction: 'Save it.', notice: 'NameError: x', table: recorded.table })
  expect(text.startsWith('Objective: Save it.\n\nNameError: x\n\ntag\tname')).toBe(true)
  expect(text.slice(findDesktopTable(text) + 1)).toBe(recorded.table)
  expect(findDesktopTable(describeDesktop({ instruction: 'Save it.' }))).toBe(-1)
})
