import { expect, test } from 'vitest'
import { groupErrors } from '../../../shared/core/client/group-errors.ts'

const fault = (index: number, message: string, name = 'ModelError') => ({
  episode: `ep-000000${index}`,
  task: 'any',
  name,
  message,
})

test('errors that differ in numbers and ids alone are one group, the most frequent first', () => {
  const groups = groupErrors([
    fault(0, 'The endpoint answered 503.'),
    fault(1, 'The host host-3a was lost after 1,024 steps.'),
    fault(2, 'The host host-99 was lost after 7 steps.'),
    fault(3, 'The host host-1 was lost after 8 steps.'),
    fault(4, 'The host host-1 was lost after 9 steps.'),
  ])
  expect(groups).toEqual([
    {
      name: 'ModelError',
      message: 'The host host-3a was lost after 1,024 steps.',
      count: 4,
      episodes: ['ep-0000001', 'ep-0000002', 'ep-0000003'],
    },
    { name: 'ModelError', message: 'The endpoint answered 503.', count: 1, episodes: ['ep-0000000'] },
  ])
})

test('errors of different names are different, whatever they say', () => {
  expect(groupErrors([fault(0, 'lost'), fault(1, 'lost', 'HostError')])).toHaveLength(2)
})
