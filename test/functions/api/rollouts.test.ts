import { expect, test } from 'vitest'
import type { ErrorBody } from '../../../shared/core/contracts/error-body.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { memberOf, openWholeApi } from './open-whole-api.ts'

const asked = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: 2 },
  method: { id: 'react' },
  model: { endpoint: 'test', id: 'test' },
  record: 'text',
  group_size: 2,
}

async function openTwo() {
  const { app, tenants } = await openWholeApi()
  return { own: await memberOf(app, tenants, 'own'), other: await memberOf(app, tenants, 'other') }
}

test('a rollout is its tenant’s alone, in every route and in lists', async () => {
  const { other, own } = await openTwo()
  const { id, run } = (await own('POST', '/v1/rollouts', asked)).json<RolloutRun>()
  expect((await own('GET', '/v1/rollouts')).json<List<RolloutRun>>().data.map((each) => each.id)).toEqual([
    id,
  ])
  expect((await other('GET', '/v1/rollouts')).json<List<RolloutRun>>().data).toEqual([])
  for (const [method, path, body] of [
    ['GET', `/v1/rollouts/${id}`],
    ['GET', `/v1/rollouts/${id}/events`],
    ['GET', `/v1/rollouts/${id}/groups/0`],
    ['POST', `/v1/rollouts/${id}/cancel`],
    ['POST', `/v1/rollouts/${id}/policy`, { version: 'step-1' }],
  ] as const) {
    const answer = await other(method, path, body)
    const unknown = await other(method, path.replace(id, 'rollout-0000000000-00000000'), body)
    expect([method, path, answer.status]).toEqual([method, path, 404])
    expect(answer.json<ErrorBody>().error.param).toBe('rollout')
    expect(unknown.status).toBe(404)
  }
  expect((await own('GET', `/v1/runs/${run}`)).json<Run>().rollout).toEqual({
    group_size: 2,
    version: '0',
    credit: {},
  })
})

test('a run is no rollout, and lists of rollouts page over the runs between them', async () => {
  const { own } = await openTwo()
  const { record: _, group_size: __, ...played } = asked
  const first = (await own('POST', '/v1/rollouts', asked)).json<RolloutRun>()
  const { id } = (await own('POST', '/v1/runs', played)).json<Run>()
  const last = (await own('POST', '/v1/rollouts', asked)).json<RolloutRun>()
  expect((await own('GET', `/v1/rollouts/${id.replace('run', 'rollout')}`)).status).toBe(404)
  expect((await own('GET', `/v1/rollouts/${last.run}`)).status).toBe(404)
  const policy = await own('POST', `/v1/rollouts/${id.replace('run', 'rollout')}/policy`, { version: '1' })
  expect(policy.status).toBe(404)
  const page = (await own('GET', '/v1/rollouts?limit=1')).json<List<RolloutRun>>()
  expect(page).toMatchObject({ data: [{ id: last.id }], has_more: true, last_id: last.id })
  const next = (await own('GET', `/v1/rollouts?limit=2&after=${last.id}`)).json<List<RolloutRun>>()
  expect(next.data.map((each) => each.id)).toEqual([first.id])
})

test.each([
  [{ group_size: 0 }, 'group_size'],
  [{ epochs: 3 }, 'epochs'],
  [{ timeout: 0 }, 'timeout'],
  [{ in_flight: 0 }, 'in_flight'],
  [{ tasks: { ids: ['no-such-task'] } }, 'tasks.ids'],
  [{ credit: { discount: 2 } }, 'credit.discount'],
  [{ method: { id: 'rmcts', iterations: 2 } }, 'method.id'],
])('a request with %j names %s, and begins nothing', async (changes, param) => {
  const { own } = await openTwo()
  const answer = await own('POST', '/v1/rollouts', { ...asked, ...changes })
  expect(answer.status).toBe(400)
  expect(answer.json<ErrorBody>().error.param).toBe(param)
  expect((await own('GET', '/v1/rollouts')).json<List<RolloutRun>>().data).toEqual([])
})

test('an unknown group is not one that is still played', async () => {
  const { own } = await openTwo()
  // 20,000 episodes, one after the other: the last group does not end here.
  const long = { ...asked, tasks: { split: 'test', limit: 20 }, group_size: 1000, in_flight: 1 }
  const { id } = (await own('POST', '/v1/rollouts', long)).json<RolloutRun>()
  expect((await own('GET', `/v1/rollouts/${id}/groups/20`)).status).toBe(404)
  expect((await own('GET', `/v1/rollouts/${id}/groups/19`)).status).toBe(409)
  expect((await own('GET', `/v1/rollouts/${id}/groups/first`)).status).toBe(404)
  expect((await own('POST', `/v1/rollouts/${id}/cancel`)).json<RolloutRun>().status).toBe('cancelled')
})
