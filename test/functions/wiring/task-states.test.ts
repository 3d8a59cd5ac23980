import { expect, test } from 'vitest'
import { taskStatesOf } from '../../../functions/wiring/environment-facts.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'

const statesOf = taskStatesOf(openEnvironments(definitions, null))
const played = { environment: 'textcraft', seed: 0, task: 'textcraft-0001' }

test('states of what can be played here are those of its rules', async () => {
  const states = await statesOf(played)
  if ('why' in states) throw new Error(states.why)
  const start = await states.reset()
  expect(states.hash(start)).toBe(states.hash(await states.reset()))
  expect(states.hash(await states.step(start, 'get 1 diamond'))).not.toBe(states.hash(start))
})

test.each([
  ['runs elsewhere', { ...played, environment: 'scienceworld', task: 'boil-0' }],
  ['is not there any more', { ...played, environment: 'gone' }],
  ['has lost its data', { ...played, environment: 'alfworld', data: 'a pack' }],
  ['has not this task', { ...played, task: 'textcraft-99999' }],
])('of an environment that %s there are none, and it is said why', async (_, wanted) => {
  expect(await statesOf(wanted)).toEqual({ why: expect.stringMatching(/\w/) })
})

test('a store that fails is no reason, but a failure', async () => {
  const failing = taskStatesOf({
    open: async () => {
      throw new EspalierError('storage_failed', 'The disk is full.')
    },
  })
  await expect(failing(played)).rejects.toMatchObject({ code: 'storage_failed' })
})
