import { expect, test } from 'vitest'
import { findMenuPage, menuGroups } from '../../../web/shell/menu-pages.ts'
import { paletteEntries, runInAddress } from '../../../web/shell/palette-entries.ts'

const names = (typed: string, path = '/datasets') =>
  paletteEntries(typed, path, []).map(({ group, name }) => `${group}: ${name}`)

test('each page is in one of six groups, whose keys differ', () => {
  expect(menuGroups.map(({ name }) => name)).toEqual([
    'Runs',
    'Compare',
    'Data',
    'Models',
    'Environments',
    'Guide',
  ])
  expect(new Set(menuGroups.map(({ key }) => key)).size).toBe(menuGroups.length)
  const all = menuGroups.flatMap(({ pages }) => pages.map(({ to }) => to))
  expect(new Set(all).size).toBe(all.length)
})

test('an address belongs to the page above it', () => {
  const at = (path: string) => {
    const found = findMenuPage(path)
    return found && [found.group.name, found.page.name]
  }
  expect(at('/runs/run-1/episodes/ep-0000001')).toEqual(['Runs', 'All runs'])
  expect(at('/compare/episodes')).toEqual(['Compare', 'Compare runs'])
  expect(at('/memories/memory-1')).toEqual(['Data', 'Memories'])
  expect(at('/new-endpoint')).toEqual(['Models', 'Endpoints'])
  expect(at('/guide/concepts')).toEqual(['Guide', 'Guide'])
  expect(at('/runsaway')).toBeUndefined()
})

test('every word of a text is in the name or the group of a page or an action', () => {
  expect(names('leader')).toEqual(['Pages: Leaderboard', 'Search: Search all episodes for “leader”'])
  expect(names('data LIB')).toContain('Pages: Libraries')
  expect(names('new tr')).toContain('Actions: New training')
})

test('in a run its actions come first, and its tasks can be searched', () => {
  expect(names('', '/runs/run-1')[0]).toBe('This run: Show the run')
  expect(names('judge', '/runs/run-1/episodes/ep-0000002')).toEqual([
    'This run: Judge episodes',
    'Search: Episodes of this run with “judge” in their task',
    'Search: Search all episodes for “judge”',
  ])
  expect(names('', '/runs/new').some((entry) => entry.startsWith('This run'))).toBe(false)
})

test('an id leads to its run or episode, and a number to an episode of the run', () => {
  const [run] = paletteEntries('run-abc', '/guide', [])
  expect(run).toEqual({ group: 'Runs', name: 'run-abc', to: '/runs/run-abc' })
  const [episode] = paletteEntries('run-abc/ep-12', '/guide', [])
  expect(episode?.to).toBe('/runs/run-abc/episodes/ep-0000012')
  expect(paletteEntries(' 7 ', '/runs/run-1', [])[0]?.to).toBe('/runs/run-1/episodes/ep-0000007')
  expect(paletteEntries('7', '/guide', []).map(({ group }) => group)).not.toContain('Episodes')
})

test('a run that an id and its name find is shown once', () => {
  const found = [{ id: 'run-abc', name: 'run-abc', note: 'react in textcraft' }]
  const runs = paletteEntries('run-abc', '/guide', found).filter(({ group }) => group === 'Runs')
  expect(runs).toHaveLength(1)
})

test('a text for a link is encoded', () => {
  expect(paletteEntries('a&b #1', '/guide', []).at(-1)?.to).toBe('/search?q=a%26b%20%231')
})

test('an address names its run', () => {
  expect(runInAddress('/runs/run-1/label')).toBe('run-1')
  expect(runInAddress('/runs')).toBeNull()
  expect(runInAddress('/runs/%E0%A4%A')).toBeNull()
})
