import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, fold, toLine, truncate, widthOf } from '../../cli/fit-text.ts'
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

  const text = fc.string({ unit: 'grapheme' })
  const figures = fc.array(fc.tuple(fc.constantFrom('run-01', 'OPENAI_API_KEY'), text, fc.integer()), {
    minLength: 1,
    maxLength: 5,
  })
  const columns = [
    { header: 'name' },
    { header: 'text', flexible: true },
    { header: 'n', align: 'right' as const },
  ]

  it('never cuts a name or a number, and passes the width only if these alone do', () => {
    fc.assert(
      fc.property(figures, fc.integer({ min: 5, max: 120 }), (rows, width) => {
        const cells = rows.map(([name, prose, number]) => [name, prose, String(number)])
        const [, ...lines] = formatTable(columns, cells, width)
        for (const [index, [name = '', , number = '']] of cells.entries()) {
          expect(lines[index]?.startsWith(name)).toBe(true)
          expect(lines[index]?.endsWith(number)).toBe(true)
        }
        const names = Math.max(4, ...cells.map(([name = '']) => name.length))
        const numbers = Math.max(1, ...cells.map(([, , number = '']) => number.length))
        const most = Math.max(width, names + numbers + 12)
        const isProse = cells.every(([, prose = '']) => !/[\d_]|\p{Lu}{2}/u.test(prose))
        if (isProse) for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(most)
      }),
    )
  })

  it('cuts nothing at an infinite width, as when it is piped', () => {
    fc.assert(
      fc.property(figures, (rows) => {
        const cells = rows.map(([name, prose, number]) => [name, prose, String(number)])
        const [, ...lines] = formatTable(columns, cells, Number.POSITIVE_INFINITY)
        for (const [index, [, prose = '']] of cells.entries()) expect(lines[index]).toContain(toLine(prose))
      }),
    )
  })

  it('goes on in the next line if a column says so, and loses no word', () => {
    const wrapped = [{ header: 'endpoint' }, { header: 'note', flexible: 'wrap' as const }]
    expect(formatTable(wrapped, [['openai', 'The variable OPENAI_API_KEY is not set.']], 28)).toEqual([
      'endpoint  note',
      'openai    The variable',
      '          OPENAI_API_KEY is',
      '          not set.',
    ])
  })

  it.each([
    ['scored 12345 of 20000', 10, 'scored …'],
    ['needs OPENAI_API_KEY now', 12, 'needs …'],
    ['OPENAI_API_KEY', 8, 'OPENAI_API_KEY'],
    ['a long sentence', 8, 'a long …'],
    ['a long sentence', 10, 'a long se…'],
  ])('cuts %j to %i columns at no number and no name', (line, width, cut) => {
    expect(cutText(line, width)).toBe(cut)
  })

  it('folds a line below its value, and loses no word', () => {
    expect(fold('total          12 calls, 300 tokens, $1.50', 30)).toEqual([
      'total          12 calls, 300',
      '               tokens, $1.50',
    ])
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (line, width) => {
        const words = (all: string) => all.split(/\s+/).filter((word) => word !== '')
        expect(words(fold(line, width).join(' '))).toEqual(words(line))
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
