import { expect, test } from 'vitest'
import { describeSources } from '../../../web/format/describe-sources.ts'

test('sources are counted by what they are', () => {
  expect(describeSources({ runs: ['a'], trajectories: [], experts: [] })).toBe('1\u00a0run')
  expect(describeSources({ runs: ['a', 'b'], trajectories: ['c'], experts: ['d', 'e'] })).toBe(
    '2\u00a0runs, 1\u00a0import, 2\u00a0experts',
  )
})
