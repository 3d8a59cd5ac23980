import { expect, test } from 'vitest'
import { readGrowth } from '../../../shared/insight/inspection/open-inspection.ts'
import { call, node, open, segment } from '../../builders/journals.ts'

const grown = [
  segment(1),
  open(),
  ...call('node/0/sample/0'),
  segment(2),
  node(),
  node({ action: 'back' }),
  { entry: { backup: { node: 1, value: 0.5 } } },
  ...call('node/1/sample/0'),
  ...call('node/2/sample/0'),
  segment(3),
  ...call('node/2/sample/1'),
  segment(4),
  node({ parent: 1 }),
  { entry: { unread: { effect: 'x', answers: 1 } } },
  { entry: { commit: { node: 3 } } },
]

test('growth goes commit by commit, with all that was used until then; commits without events are left out', () => {
  const used = (calls: number) => ({
    model_calls: calls,
    input_tokens: 10 * calls,
    output_tokens: 5 * calls,
    cost: calls / 2,
  })
  expect(readGrowth(grown)).toEqual({
    answer: 'best',
    steps: [
      {
        at: '2026-11-21T09:00:02.000Z',
        elapsed: 2,
        usage: used(3),
        events: [
          { type: 'node', node: 1 },
          { type: 'node', node: 2 },
          { type: 'value', node: 1, value: 0.5 },
        ],
      },
      {
        at: '2026-11-21T09:00:04.000Z',
        elapsed: 4,
        usage: used(4),
        events: [
          { type: 'node', node: 3 },
          { type: 'commit', node: 3 },
        ],
      },
    ],
  })
})

test('a tree with nothing but its root has not grown, and no tree is none', () => {
  expect(readGrowth([segment(1), open({ answer: 'last' })])).toEqual({ answer: 'last', steps: [] })
  expect(readGrowth([])).toBeNull()
})
