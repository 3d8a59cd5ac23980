import { expect, test } from 'vitest'
import { rowExample } from '../../../functions/api/openapi/trajectory-examples.ts'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import type { ErrorBody } from '../../../shared/core/contracts/error-body.ts'
import type { Experiment } from '../../../shared/core/contracts/labels.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { removeRemains } from '../../../shared/core/engine/remains.ts'
import { buildNow } from '../../data/datasets/open-test-datasets.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestApi, readError } from './open-test-api.ts'
import { memberOf, openWholeApi } from './open-whole-api.ts'
import { untilRemoved } from './until-removed.ts'

async function openMember() {
  const whole = await openWholeApi()
  const member = await memberOf(whole.app, whole.tenants, 'acme')
  const runs = whole.engine.tenants.of('acme')
  const play = async (labels: Partial<Run['request']> = {}, key?: string) => {
    const body = { ...toRequest({ tasks: { limit: 1 } }), ...labels }
    const answer = await member('POST', '/v1/runs', body, key === undefined ? {} : { 'Idempotency-Key': key })
    expect(answer.status).toBe(201)
    return untilStatus({ runs }, answer.json<Run>().id, 'succeeded', 'failed')
  }
  const listed = async (query: string) =>
    (await member('GET', `/v1/runs?${query}`)).json<List<Run>>().data.map(({ id }) => id)
  const importRow = async () => {
    const answer = await member('POST', '/v1/trajectories?format=agenttraj&reward=1&name=first', rowExample)
    return answer.json<{ id: string }>().id
  }
  return { ...whole, member, play, listed, importRow }
}

test('runs are found by experiment, tags and metadata, as they were last labelled', async () => {
  const { listed, member, play } = await openMember()
  const first = await play({ experiment: 'depth / 1', tags: ['a', 'b'], metadata: { team: 'vision' } })
  const second = await play({ experiment: 'depth', tags: ['b'], note: 'A second try.' })
  const third = await play()
  expect(second.request).toMatchObject({ experiment: 'depth', tags: ['b'], note: 'A second try.' })

  expect(await listed('experiment=depth')).toEqual([second.id])
  expect(await listed(`experiment=${encodeURIComponent('depth / 1')}`)).toEqual([first.id])
  expect(await listed('tag=b')).toEqual([second.id, first.id])
  expect(await listed('tag=b&tag=a')).toEqual([first.id])
  expect(await listed('metadata.team=vision')).toEqual([first.id])
  expect(await listed('metadata.team=sound')).toEqual([])

  const change = { name: 'renamed', experiment: 'depth', add_tags: ['c'], remove_tags: ['a'], note: null }
  const changed = (await member('PATCH', `/v1/runs/${first.id}`, change)).json<Run>()
  expect(changed.request).toMatchObject({ name: 'renamed', experiment: 'depth', tags: ['b', 'c'] })
  expect(await listed('experiment=depth&name=renam')).toEqual([first.id])
  expect(await listed('experiment=depth&limit=1')).toEqual([second.id])
  expect(await listed(`experiment=depth&limit=1&after=${second.id}`)).toEqual([first.id])
  const experiments = (await member('GET', '/v1/experiments')).json<List<Experiment>>()
  expect(experiments.data).toEqual([{ id: 'depth', object: 'experiment', runs: 2, datasets: 0, imports: 0 }])
  expect(await listed('')).toEqual([third.id, second.id, first.id])
})

test('what is archived is left out of lists until it is asked for or taken back', async () => {
  const { importRow, listed, member, play } = await openMember()
  const [first, second] = [await play(), await play()]
  const id = await importRow()
  for (const path of [`/v1/runs/${first.id}`, `/v1/trajectories/${id}`]) {
    const answer = await member('PATCH', path, { archived: true })
    expect(answer.json<Run>().archived_at).toMatch(/^20\d\d-/)
  }
  expect(await listed('')).toEqual([second.id])
  expect(await listed('archived=true')).toEqual([first.id])
  expect(await listed('archived=any')).toEqual([second.id, first.id])
  const imports = async (query: string) =>
    (await member('GET', `/v1/trajectories${query}`)).json<List<{ id: string }>>().data.length
  expect([await imports(''), await imports('?archived=true')]).toEqual([0, 1])
  await member('PATCH', `/v1/runs/${first.id}`, { archived: false })
  expect(await listed('')).toEqual([second.id, first.id])
})

test('what a dataset was built from is kept; deleted in order, nothing is left of either', async () => {
  const { engine, importRow, member, play, tenants, world } = await openMember()
  const run = await play({ experiment: 'depth' }, 'nightly')
  const id = await importRow()
  const body = { runs: [run.id], trajectories: [id], kind: 'sft', format: 'openai' }
  const dataset = (await member('POST', '/v1/datasets', body)).json<Dataset>()
  const early = await member('DELETE', `/v1/datasets/${dataset.id}`)
  expect([early.status, early.json<ErrorBody>().error.code]).toEqual([409, 'invalid_state'])
  await buildNow(tenants.datasets, dataset.id)
  const renamed = await member('PATCH', `/v1/datasets/${dataset.id}`, { name: 'sticks', tags: ['x'] })
  expect(renamed.json<Dataset>()).toMatchObject({ status: 'succeeded', name: 'sticks', tags: ['x'] })

  for (const path of [`/v1/runs/${run.id}`, `/v1/trajectories/${id}`]) {
    const kept = await member('DELETE', path)
    expect(kept.status).toBe(409)
    expect(kept.json<ErrorBody>().error.message).toContain(`the dataset ${dataset.id} was built from it`)
    expect((await member('GET', path)).status).toBe(200)
  }
  for (const path of [`/v1/datasets/${dataset.id}`, `/v1/runs/${run.id}`, `/v1/trajectories/${id}`]) {
    expect((await member('DELETE', path)).json()).toMatchObject({ deleted: true })
    expect((await member('GET', path)).status).toBe(404)
    expect((await member('DELETE', path)).status).toBe(404)
    expect((await member('PATCH', path, { name: 'ghost' })).status).toBe(404)
  }
  await untilRemoved({ engine, world })
  for (const prefix of [`runs/${run.id}/`, `datasets/${dataset.id}/`, `trajectories/${id}/`]) {
    expect((await world.objects.list(prefix)).objects).toEqual([])
  }
  expect((await world.ledger.query(`run/${run.id}/episodes`)).items).toEqual([])
  expect((await member('GET', '/v1/experiments')).json<List<Experiment>>().data).toEqual([])
  // Its idempotency key is free again.
  expect((await play({ experiment: 'depth' }, 'nightly')).id).not.toBe(run.id)
})

test('a run that is still going is not deleted', async () => {
  const { engine, member } = await openMember()
  const runs = engine.tenants.of('acme')
  await engine.worker.stop(1)
  const run = await runs.create(toRequest())
  const refused = await member('DELETE', `/v1/runs/${run.id}`)
  expect(refused.json<ErrorBody>().error).toMatchObject({ code: 'invalid_state', param: 'run' })
  expect(refused.json<ErrorBody>().error.message).toContain('Cancel it first')
  expect((await runs.get(run.id)).status).toBe('queued')
})

test('what one request does not remove of a run, the sweeper does', async () => {
  const { engine, member, play, world } = await openMember()
  const run = await play()
  const { list } = world.objects
  world.objects.list = () => Promise.reject(new Error('The storage is away.'))
  expect((await member('DELETE', `/v1/runs/${run.id}`)).status).toBe(200)
  expect((await member('GET', `/v1/runs/${run.id}`)).status).toBe(404)
  world.objects.list = list
  expect((await world.objects.list(`runs/${run.id}/`)).objects).not.toEqual([])
  expect(await removeRemains(world, run.id, 1)).toBe(false)
  await untilRemoved({ engine, world })
  expect((await world.objects.list(`runs/${run.id}/`)).objects).toEqual([])
})

test('changes at the same moment are all made', async () => {
  const { engine, play } = await openMember()
  const { id } = await play()
  const runs = engine.tenants.of('acme')
  const tags = Array.from({ length: 8 }, (_, at) => `tag-${at}`)
  await Promise.all(tags.map((tag) => runs.label(id, { add_tags: [tag] })))
  expect((await runs.get(id)).request.tags?.toSorted()).toEqual(tags)
})

test.each([
  ['experiment= x', 'experiment'],
  ['archived=maybe', 'archived'],
  ['metadata.=x', 'metadata.'],
  ['metadata.a=1&metadata.a=2', 'metadata.a'],
  ['tags=a', 'tags'],
])('the filter %s is refused by its name', async (query, param) => {
  const { app } = openTestApi()
  expect(await readError(await app.request(`/v1/runs?${query}`))).toMatchObject({ status: 400, param })
})

test.each([
  [{ tags: ['a', 'a'] }, 'tags'],
  [{ tags: ['a'], add_tags: ['b'] }, 'tags'],
  [{ experiment: '' }, 'experiment'],
  [{ archive: true }, 'archive'],
])('labels %j are refused, and nothing changes', async (change, param) => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  const answer = await app.request(`/v1/runs/${id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  })
  expect(await readError(answer)).toMatchObject({ status: 400, param })
  expect(services.calls).toEqual([])
})
