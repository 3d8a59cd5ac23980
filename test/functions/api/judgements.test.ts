import { expect, test } from 'vitest'
import type { Dataset, DatasetPreviewRow } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import type { ErrorBody } from '../../../shared/core/contracts/error-body.ts'
import type { EpisodeJudgement, ScoreSummary } from '../../../shared/core/contracts/judgement.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Report } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { ScoreReport } from '../../../shared/core/contracts/scoring.ts'
import { buildNow } from '../../data/datasets/open-test-datasets.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestApi, readError } from './open-test-api.ts'
import { memberOf, openWholeApi } from './open-whole-api.ts'
import { untilRemoved } from './until-removed.ts'

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

test('a scorer’s values are recorded, replaced, and compared with the reward; failures are no zeros', async () => {
  const { id, judgements, listed, member } = await openPlayed(3)
  const path = `/v1/runs/${id}/judgements`
  const by = { kind: 'scorer', name: 'short.ts', digest: '0123456789abcdef' }
  const scores = [
    { episode: 'ep-0000000', value: 1 },
    { episode: 'ep-0000001', value: null, error: 'It threw.' },
  ]
  const recorded = await member('POST', path, { name: 'short', by, judgements: scores })
  expect(recorded.status).toBe(200)
  expect((await listed('?name=short')).data.map(({ error, value }) => [value, error])).toEqual([
    [1, null],
    [null, 'It threw.'],
  ])
  const report = (await member('GET', `/v1/runs/${id}/scores/short`)).json<ScoreReport>()
  expect(report).toMatchObject({
    kind: 'scorer',
    episodes: 3,
    scored: 1,
    missing: 1,
    errors: 1,
    outdated: 0,
    value: { mean: 1, count: 1 },
    agreement: { against: 'reward', pairs: 1, without_score: 2 },
    first_errors: [{ episode: 'ep-0000001', error: 'It threw.' }],
  })
  const whole = (await member('GET', `/v1/runs/${id}/report`)).json<Report>()
  expect(whole.scores).toMatchObject([{ name: 'short', kind: 'scorer', scored: 1, missing: 1, errors: 1 }])
  expect((await member('GET', `/v1/runs/${id}/report?format=md`)).text).toContain(
    '## Scores beside the reward',
  )
  expect((await member('GET', `/v1/runs/${id}/report?format=csv`)).text).toContain(',score,short,')
  await member('PUT', `${judgements}/good?node=1`, { value: 1 })
  await member('PUT', `${judgements}/good`, { value: 0 })
  const against = (await member('GET', `/v1/runs/${id}/scores/short?against=good`)).json<ScoreReport>()
  expect(against.agreement).toMatchObject({ pairs: 1, accuracy: 0, mean_difference: 1 })

  const again = { name: 'short', by: { ...by, digest: 'another-digest' } }
  await member('POST', path, { ...again, judgements: [{ episode: 'ep-0000001', value: 0.25 }] })
  const { data } = (await member('GET', `/v1/runs/${id}/scores`)).json<List<ScoreSummary>>()
  expect(data.find(({ id: name }) => name === 'short')).toMatchObject({ episodes: 2, errors: 0 })
  const newest = { scored: 1, missing: 1, errors: 0, outdated: 1, value: { mean: 0.25 } }
  expect((await member('GET', `/v1/runs/${id}/scores/short`)).json()).toMatchObject(newest)
  expect((await member('GET', `/v1/runs/${id}/report`)).json<Report>().scores).toMatchObject([
    { name: 'good' },
    newest,
  ])
  const good = (await member('GET', `/v1/runs/${id}/scores/good?against=short`)).json<ScoreReport>()
  expect(good.agreement).toMatchObject({ pairs: 0, without_reference: 1 })
  const dataset = { runs: [id], kind: 'unpaired', format: 'trl', scores: [{ name: 'short' }] }
  const preview = await member('POST', '/v1/datasets?dry_run=true', dataset)
  expect(preview.json<DatasetPreview>().listed.left_out).toMatchObject({ no_score: 2 })
})

test('scores that cannot be recorded are refused with their place, and none is stored', async () => {
  const { id, listed, member } = await openPlayed()
  const by = { kind: 'scorer', name: 'short.ts', digest: '0123456789abcdef' }
  const refused = async (scores: object[]) => {
    const answer = await member('POST', `/v1/runs/${id}/judgements`, {
      name: 'short',
      by,
      judgements: scores,
    })
    const { code, param } = answer.json<ErrorBody>().error
    return [answer.status, code, param]
  }
  const good = { episode: 'ep-0000000', value: 1 }
  expect(await refused([good, { episode: 'ep-0000099', value: 1 }])).toEqual([
    404,
    'not_found',
    'judgements[1].episode',
  ])
  expect(await refused([{ ...good, end: 'ffffffffffffffff' }])).toEqual([
    409,
    'conflict',
    'judgements[0].episode',
  ])
  expect((await refused([{ ...good, value: null }]))[0]).toBe(400)
  expect((await refused([{ ...good, error: 'It threw.' }]))[0]).toBe(400)
  expect((await refused([good, good]))[0]).toBe(400)
  expect((await listed()).data).toEqual([])
  expect((await member('GET', `/v1/runs/${id}/scores/short`)).json<ErrorBody>().error).toMatchObject({
    code: 'not_found',
    param: 'name',
  })
})

test('a dataset keeps the episodes whose score is as asked, counts the others, and says which score each row had', async () => {
  const { id, judgements, member, tenants } = await openPlayed(4)
  const scored = { name: 'short', by: { kind: 'scorer', name: 'short.ts', digest: '0123456789abcdef' } }
  const values = [1, 0.5, 0.25].map((value, index) => ({ episode: `ep-000000${index}`, value }))
  await member('POST', `/v1/runs/${id}/judgements`, { ...scored, judgements: values })
  for (const by of ['ep-0000000', 'ep-0000001']) {
    await member('PUT', `${judgements.replace('ep-0000000', by)}/good`, {
      value: by === 'ep-0000000' ? 1 : 0,
    })
  }
  const build = async (rest: object) => {
    const asked = {
      runs: [id],
      kind: 'unpaired',
      format: 'trl',
      gates: { held_out: 'keep', duplicates: 'keep' },
    }
    const made = await member('POST', '/v1/datasets', { ...asked, ...rest })
    expect(made.status).toBe(201)
    const dataset = made.json<Dataset>()
    await buildNow(tenants.datasets, dataset.id)
    const path = `/v1/datasets/${dataset.id}`
    const rows = (await member('GET', `${path}/rows?limit=100`)).json<List<DatasetPreviewRow>>().data
    const readme = await member('GET', `${path}/readme`)
    return { dataset: (await member('GET', path)).json<Dataset>(), rows, readme: readme.text }
  }
  const filtered = await build({ scores: [{ name: 'short', at_least: 0.5 }] })
  expect(filtered.dataset.left_out).toMatchObject({ no_score: 1, score_outside: 1 })
  expect(filtered.rows.map(({ lineage }) => [lineage.origin.episode, lineage.origin.scores])).toEqual([
    ['ep-0000000', { short: 1 }],
    ['ep-0000001', { short: 0.5 }],
  ])
  expect(filtered.readme).toContain('- Scores: only episodes with `short` from 0.5 to 1')

  const preview = await member('POST', '/v1/datasets?dry_run=true', {
    runs: [id],
    kind: 'unpaired',
    format: 'trl',
    scores: [{ name: 'short', at_most: 0.5 }],
  })
  expect(preview.json<DatasetPreview>().listed.left_out).toMatchObject({ no_score: 1, score_outside: 1 })

  // People's labels as rows.
  const labelled = await build({ parameters: { score: 'good' } })
  expect(labelled.dataset.request.scores).toEqual([{ name: 'good' }])
  expect(labelled.dataset.left_out).toMatchObject({ no_score: 2 })
  expect(labelled.rows.map(({ data }) => data.label)).toEqual([true, false])

  const first = judgements.replace(/ep-\d+/, 'ep-0000000')
  await member('PUT', `${first}/good?node=1`, { value: 1 })
  const steps = await build({ kind: 'process-reward', parameters: { judged: 'good' } })
  expect(steps.dataset.left_out).toEqual({ no_score: 3 })
  expect(steps.rows.map(({ data }) => data.labels)).toEqual([[true]])

  const refused = await member('POST', '/v1/datasets', {
    runs: [id],
    scores: [{ name: 'short', at_least: 1, at_most: 0 }],
  })
  expect(refused.json<ErrorBody>().error).toMatchObject({
    code: 'invalid_request',
    param: 'scores[0].at_most',
  })
})

test('another tenant neither sees nor changes judgements, and they are deleted with their run', async () => {
  const { app, engine, id, judgements, member, tenants, world } = await openPlayed()
  await member('PUT', `${judgements}/careful`, { value: 1 })
  const stranger = await memberOf(app, tenants, 'other')
  for (const [method, path, body] of [
    ['GET', `/v1/runs/${id}/judgements`, undefined],
    ['GET', `/v1/runs/${id}/scores`, undefined],
    ['GET', `/v1/runs/${id}/scores/careful`, undefined],
    ['PUT', `${judgements}/careful`, { value: 0 }],
    ['DELETE', `${judgements}/careful`, undefined],
  ] as const) {
    const answer = await stranger(method, path, body)
    expect([answer.status, answer.json<ErrorBody>().error.param], method).toEqual([404, 'run'])
  }
  expect((await member('DELETE', `/v1/runs/${id}`)).status).toBe(200)
  await untilRemoved({ engine, world })
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
