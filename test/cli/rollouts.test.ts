import { expect, test } from 'vitest'
import { buildRunRequest } from '../../cli/build-run-request.ts'
import { withGroups } from '../../cli/commands/rollouts.ts'
import { rolloutRequestSchema } from '../../shared/core/contracts/rollout.ts'

const least = { environment: 'textcraft', method: 'react', model: 'simulated' }

test('the request of espalier rollouts start is a run’s with groups, of training tasks unless others are named', () => {
  const flags = {
    groupSize: 4,
    policy: 'step-1',
    timeout: 60,
    inFlight: 16,
    record: 'text',
    credit: ['discount=0.9'],
  }
  const request = withGroups(
    buildRunRequest({ ...least, limit: 3 }, { credit: { advantage: 'gigpo' } }, 'train'),
    flags,
  )
  expect(request).toEqual({
    environment: 'textcraft',
    tasks: { split: 'train', limit: 3 },
    method: { id: 'react' },
    model: { endpoint: 'simulated', id: 'simulated' },
    group_size: 4,
    version: 'step-1',
    timeout: 60,
    in_flight: 16,
    record: 'text',
    credit: { advantage: 'gigpo', discount: 0.9 },
  })
  expect(rolloutRequestSchema.safeParse(request).success).toBe(true)
  const named = buildRunRequest({ ...least, limit: 3, split: 'test' }, {}, 'train')
  expect(named).toMatchObject({ tasks: { split: 'test' } })
})

test('without flags of groups the file’s settings stay', () => {
  expect(withGroups({ group_size: 2, credit: { lambda: 1 } }, {})).toEqual({
    group_size: 2,
    credit: { lambda: 1 },
  })
})
