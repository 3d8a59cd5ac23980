import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/osworld-tasks.md'), 'utf8')

/** The rows of the table below a heading, as cells. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | '))
}

describe('the page of which of OSWorld’s tasks can be played', () => {
  const domains = rowsBelow('By domain')
  const tasks = rowsBelow('All tasks')

  test('has all tasks, each once', () => {
    expect(tasks).toHaveLength(369)
    expect(new Set(tasks.map(([domain, id]) => `${domain}/${id}`)).size).toBe(369)
  })

  test('counts by domain what it lists', () => {
    const count = (named: string, here?: string) =>
      tasks.filter(([domain, , , where]) => {
        return (named === 'all' || domain === named) && (here === undefined || where === here)
      }).length
    expect(domains.at(-1)?.[0]).toBe('all')
    for (const [name = '', ...counts] of domains) {
      const expected = [count(name), count(name, 'yes'), count(name, 'with its files'), count(name, 'no')]
      expect([name, ...counts.map(Number)]).toEqual([name, ...expected])
    }
    const named = domains.slice(0, -1).map(([name]) => name)
    expect(named).toEqual([...new Set(tasks.map(([domain]) => domain))])
  })

  test('says of each task that is not played what it lacks, and counts it', () => {
    const lacking = tasks.map(([, , , here, lacks = '']) => ({ here, lacks: lacks.trim() }))
    for (const { here, lacks } of lacking) expect(lacks !== '').toBe(here === 'no')
    for (const [reason = '', all, alone] of rowsBelow('What is missing')) {
      const named = lacking.filter(({ lacks }) => lacks.split(', ').includes(reason))
      expect([reason, named.length]).toEqual([reason, Number(all)])
      expect([reason, named.filter(({ lacks }) => lacks === reason).length]).toEqual([reason, Number(alone)])
    }
  })

  test('stays small', () => {
    expect(page.length).toBeLessThan(60_000)
  })
})
