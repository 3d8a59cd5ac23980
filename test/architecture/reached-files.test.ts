import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { reachedFiles, valueImports } from '../../scripts/house/measure-house.ts'

const root = resolve(import.meta.dirname, '../..')

test('imports of values are followed, those of types alone are not', () => {
  const source = `import './effect.ts'
import type { A } from './a.ts'
import { type B, type C } from './b.ts'
import { type D, e } from './d.ts'
import f from 'package'
import * as g from './g.ts'
import {
  type H,
  i,
} from '../i.ts'
export type { J } from './j.ts'
export { k } from './k.ts'
export const l = './l.ts'
`
  expect(valueImports(source)).toEqual(['./effect.ts', './d.ts', './g.ts', '../i.ts', './k.ts'])
})

/**
 * The two methods behind the request contract of mcts, read from the method to the last selection rule. The value functions
 * are arguments of the search (`Guidance`), so they are not part of it.
 */
test.each(['shared/play/methods/mcts/rollouts.ts', 'shared/play/methods/mcts/puct.ts'])(
  '%s reaches at most 15 files and 900 lines',
  (method) => {
    const reached = reachedFiles(root, method)
    expect(reached.map(({ file }) => file)).toContain('shared/play/search/selection.ts')
    expect(reached.length).toBeLessThanOrEqual(15)
    expect(reached.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(900)
  },
)
