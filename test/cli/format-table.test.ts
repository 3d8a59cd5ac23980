import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { truncate, widthOf } from '../../cli/fit-text.ts'
import { formatTable } from '../../cli/format-table.ts'

describe('formatTable', () => {
  it('aligns columns and cuts the flexible one where the width does not do', () => {
    const columns = [
      { header: 'run' },
      { header: 'name', flexible: true },
      { header: 'cost', align: 'right' as const },
    ]
    const rows = [
      ['run-1', 'a name that is long', '$1.00'],
      ['run-22', 'short', '$12.50'],
    ]
    expect(formatTable(columns, rows, 80)).toEqual([
      'run     name                   cost',
      'run-1   a name that is long   $1.00',
      'run-22  short                $12.50',
    ])
    expect(formatTable(columns, rows, 30)).toEqual([
      'run     name              cost',
      'run-1   a name that i…   $1.00',
      'run-22  short           $12.50',
    ])
  })

  it('never passes the width, whatever the cells hold', () => {
    const row = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(row), fc.integer({ min: 20, max: 120 }), (rows, width) => {
        const columns = [{ header: 'a' }, { header: 'b', flexible: true }, { header: 'c' }]
        for (const line of formatTable(columns, rows, width)) expect(widthOf(line)).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('takes what would steer the terminal out of the cells', () => {
    const [, line] = formatTable([{ header: 'a' }], [['\u001b[31mred\u0007\nnext']], 80)
    expect(line).toBe('[31mred next')
  })

  it('counts wide and combining characters as terminals do', () => {
    expect(widthOf('木の棒')).toBe(6)
    expect(widthOf('e\u0301')).toBe(1)
    expect(truncate('木の棒を作る', 7)).toBe('木の棒…')
  })
})
