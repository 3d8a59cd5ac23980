import { expect, test } from 'vitest'
import type { ErrorBody } from '../../../shared/contracts/errors.ts'
import type { EpisodeJudgement, ScoreSummary } from '../../../shared/contracts/judgement.ts'
import type { List } from '../../../shared/contracts/list.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestApi, readError } from './open-test-api.ts'
import { memberOf, openWholeApi } from './open-whole-api.ts'

async function openPlayed(limit = 2) {
  const whole = await openWholeApi()
  const member = await memberOf(whole.app, whole.tenants, 'acme')
  const runs = whole.engine.tenants.of('acme')
  const { id } = (await member('POST', '/v1/runs', toRequest({ tasks: { limit } }))).json<Run>()
  await untilStatus({ runs }, id, 'succeeded')
  const judgements = `/v1/runs/${id}/episodes/ep-0000000/judgements`
  const listed = async (query = '') =>
    (await member('GET', `/v1/runs/${id}/judgements${query}`)).json<List<EpisodeJudgement>>()
  return { ...whole, member, id, judgements, listed }
}

test('a person judges an episode and a step, changes her mind, and takes it back', async () => {
  const { id, judgements, listed, member } = await openPlayed()
  const first = await member('PUT', `${judgements}/careful`, { value: 0 })
  expect(first.status).toBe(200)
  // Her name is that of her key.
  const { by } = first.json<EpisodeJudgement>()
  expect(by).toEqual({ kind: 'person', name: expect.any(String) })
  await member('PUT', `${judgements}/careful`, { value: 1, note: 'It looked again.' })
  await member('PUT', `${judgements}/careful?node=1`, { value: 0.5 })
  await member('PUT', `/v1/runs/${id}/episodes/ep-0000001/judgements/neat`, { value: 0 })
  const all = await listed()
  expect(all.data.map(({ episode, name, node, value }) => [name, episode, node, value])).toEqual([
    ['careful', 'ep-0000000', null, 1],
    ['careful', 'ep-0000000', 1, 0.5],
    ['neat', 'ep-0000001', null, 0],
  ])
  expect((await listed('?name=neat')).data).toHaveLength(1)
  expect((await listed('?episode=ep-0000000')).data).toHaveLength(2)
  const page = await listed('?limit=1')
  expect(page).toMatchObject({ has_more: true, last_id: all.data[0]?.id })
  expect((await listed(`?after=${encodeURIComponent(page.last_id ?? '')}`)).data).toEqual(all.data.slice(1))
  const scores = (await member('GET', `/v1/runs/${id}/scores`)).json<List<ScoreSummary>>()
  expect(scores.data).toMatchObject([
    { id: 'careful', kind: 'person', episodes: 1, steps: 1, errors: 0, judges: [{ by, judgements: 2 }] },
    { id: 'neat', kind: 'person', episodes: 1, steps: 0 },
  ])
  const gone = await member('DELETE', `${judgements}/careful?node=1`)
  expect(gone.json()).toEqual({ id: all.data[1]?.id, object: 'judgement', deleted: true })
  expect((await member('DELETE', `${judgements}/careful?node=1`)).status).toBe(404)
  expect((await listed()).data).toHaveLength(2)
})

test('what cannot be judged is refused by its field', async () => {
  const { id, judgements, member } = await openPlayed()
  const refused = async (path: string, body: object) => {
    const answer = await member('PUT', path, body)
    const { code, param } = answer.json<ErrorBody>().error
    return [answer.status, code, param]
  }
  expect(await refused(`${judgements}/careful`, { value: 2 })).toEqual([400, 'invalid_request', 'value'])
  expect(await refused(`${judgements}/reward`, { value: 1 })).toEqual([404, 'not_found', 'name'])
  expect(await refused(`${judgements}/careful?node=999`, { value: 1 })).toEqual([
    400,
    'invalid_request',
    'node',
  ])
  expect(await refused(`${judgements}/careful?by=bob`, { value: 1 })).toEqual([400, 'invalid_request', 'by'])
  const unknown = `/v1/runs/${id}/episodes/ep-0000099/judgements/careful`
  expect(await refused(unknown, { value: 1 })).toEqual([404, 'not_found', 'episode'])
})

test('another tenant neither sees nor changes judgements, and they are deleted with their run', async () => {
  const { app, id, judgements, member, tenants, world } = await openPlayed()
  await member('PUT', `${judgements}/careful`, { value: 1 })
  const stranger = await memberOf(app, tenants, 'other')
  for (const [method, path, body] of [
    ['GET', `/v1/runs/${id}/judgements`, undefined],
    ['GET', `/v1/runs/${id}/scores`, undefined],
    ['PUT', `${judgements}/careful`, { value: 0 }],
    ['DELETE', `${judgements}/careful`, undefined],
  ] as const) {
    const answer = await stranger(method, path, body)
    expect([answer.status, answer.json<ErrorBody>().error.param], method).toEqual([404, 'run'])
  }
  expect((await member('DELETE', `/v1/runs/${id}`)).status).toBe(200)
  for (const partition of [`run/${id}/judgements`, `run/${id}/score-names`]) {
    expect((await world.ledger.query(partition)).items).toEqual([])
  }
})

test('the holder of the service judges as the operator, or as whom the request names', async () => {
  const { app, services } = openTestApi()
  const put = (query: string) =>
    app.request(`/v1/runs/run-1/episodes/ep-0000000/judgements/careful${query}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ value: 1 }),
    })
  await put('')
  await put('?by=ada&node=4')
  const people = services.calls.filter(({ name }) => name === 'judge').map(({ given }) => given[0])
  expect(people).toMatchObject([
    { person: 'operator', node: null },
    { person: 'ada', node: 4 },
  ])
  expect(await readError(await put('?by='))).toMatchObject({ code: 'invalid_request', param: 'by' })
})
