import { expect, test } from 'vitest'
import { activeFilters, withTokens } from '../../../../web/pages/runs/run-filters.ts'

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

test('an unknown name or status, and a name without a value, stay words', () => {
  expect(after('owner:me status:done method: x')).toEqual({ name: 'owner:me status:done method: x' })
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
