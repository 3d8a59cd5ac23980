import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  activeFilters,
  filterNames,
  readFilters,
  withTokens,
} from '../../../../web/pages/runs/run-filters.ts'

const after = (text: string, before = '') => Object.fromEntries(withTokens(new URLSearchParams(before), text))

test('filters move from the text into the address, and the other words filter by name', () => {
  expect(after('status:failed method:mcts deep  search')).toEqual({
    status: 'failed',
    method: 'mcts',
    name: 'deep search',
  })
  expect(after('experiment:"a b" tag:kept')).toEqual({ experiment: 'a b', tag: 'kept' })
  expect(after('status:completed')).toEqual({ status: 'succeeded' })
  expect(after('metadata:team=one')).toEqual({ metadata: 'team=one' })
})

test('an unknown name, an invalid value, and a name without a value, stay words', () => {
  expect(after('owner:me status:done method: x')).toEqual({ name: 'owner:me status:done method: x' })
})

test('metadata without a name and a value, and an unknown choice of archived runs, stay words', () => {
  for (const text of ['metadata:sweep', 'metadata:=x', 'archived:yes', 'status:"done"'])
    expect(after(text, 'tag=kept')).toEqual({ name: text, tag: 'kept' })
  expect(after('archived:any metadata:sweep=')).toEqual({ archived: 'any', metadata: 'sweep=' })
})

test('other entries of the address stay, and an empty text removes the name alone', () => {
  expect(after('', 'name=a&method=mcts&chosen=run-1')).toEqual({ method: 'mcts', chosen: 'run-1' })
})

test('active filters are all but the name', () => {
  expect(activeFilters(new URLSearchParams('name=a&tag=kept&status=failed&show=seed'))).toEqual([
    { name: 'status', value: 'failed' },
    { name: 'tag', value: 'kept' },
  ])
})

test('a filter is shown as active only if it filters', () => {
  const values = fc.constantFrom('', ' ', 'sweep', 'sweep=', 'a=b', 'yes', 'true', 'failed', 'done')
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...filterNames), values), (entries) => {
      const address = new URLSearchParams(entries)
      const { name: _, ...filters } = readFilters(address)
      const active = activeFilters(address).map(({ name }) => name)
      expect(new Set(active)).toEqual(new Set(Object.keys(filters)))
    }),
  )
  for (const idle of ['metadata=sweep', 'status=done', 'archived=yes'])
    expect(activeFilters(new URLSearchParams(idle))).toEqual([])
})
