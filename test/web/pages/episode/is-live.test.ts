import { expect, test } from 'vitest'
import { treeInterval } from '../../../../web/pages/episode/is-live.ts'

test('a growing tree is looked at every other second, and a large one so seldom that as much is read of it', () => {
  expect(treeInterval(1)).toBe(2000)
  expect(treeInterval(2000)).toBe(2000)
  expect(treeInterval(10_000)).toBe(10_000)
})
