import { expect, test } from 'vitest'
import type { ErrorBody } from '../../../shared/core/contracts/error-body.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import {
  type TranscriptHits,
  transcriptHitsSchema,
} from '../../../shared/core/contracts/transcript-search.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { memberOf, openWholeApi } from './open-whole-api.ts'
import { untilRemoved } from './until-removed.ts'

async function openMembers() {
  const whole = await openWholeApi()
  const [acme, others] = await Promise.all(
    ['acme', 'others'].map((tenant) => memberOf(whole.app, whole.tenants, tenant)),
  )
  if (acme === undefined || others === undefined) throw new Error('There are two of them.')
  const play = async (member: typeof acme, tenant: string, tags: string[] = []) => {
    const body = { ...toRequest({ tasks: { limit: 2 } }), tags }
    const { id } = (await member('POST', '/v1/runs', body)).json<Run>()
    await untilStatus({ runs: whole.engine.tenants.of(tenant) }, id, 'succeeded')
    return id
  }
  return { ...whole, acme, others, play }
}

test('a key finds what its tenant has played, page by page, and nothing of others', async () => {
  const { acme, others, play } = await openMembers()
  const mine = await play(acme, 'acme', ['a'])
  const newer = await play(acme, 'acme')
  const theirs = await play(others, 'others')
  const search = async (query: string) => {
    const answer = await acme('GET', `/v1/transcripts?${query}`)
    expect(answer.status).toBe(200)
    return transcriptHitsSchema.parse(answer.json<TranscriptHits>())
  }
  const all = await search('q=start')
  expect(all).toMatchObject({ has_more: false, not_indexed: 0, runs: 2 })
  expect(all.data.map(({ episode, run }) => [run, episode])).toEqual(
    [newer, mine].flatMap((run) => ['ep-0000000', 'ep-0000001'].map((episode) => [run, episode])),
  )
  const first = await search('q=start&limit=3')
  expect(first.data).toEqual(all.data.slice(0, 3))
  const rest = await search(`q=start&limit=3&after=${first.last_id}`)
  expect([first.has_more, rest.has_more]).toEqual([true, false])
  expect(rest.data).toEqual(all.data.slice(3))
  expect((await search('q=start&tag=a')).data).toEqual(all.data.slice(2))
  expect((await search(`q=start&run=${mine}&run=${newer}`)).data).toEqual(all.data)
  const foreign = await acme('GET', `/v1/transcripts?q=start&run=${mine}&run=${theirs}`)
  expect(foreign.status).toBe(404)
  expect(foreign.json<ErrorBody>().error.param).toBe('run')
})

test('what a deleted run said is found no more, and is removed with it', async () => {
  const { acme, engine, play, world } = await openMembers()
  const run = await play(acme, 'acme')
  expect((await acme('GET', '/v1/transcripts?q=start')).json<TranscriptHits>().data).toHaveLength(2)
  expect((await world.objects.list(`runs/${run}/transcripts/`)).objects.length).toBeGreaterThan(0)
  expect((await acme('DELETE', `/v1/runs/${run}`)).status).toBe(200)
  expect((await acme('GET', '/v1/transcripts?q=start')).json()).toMatchObject({ data: [], runs: 0 })
  await untilRemoved({ engine, world })
  expect((await world.objects.list(`runs/${run}/`)).objects).toEqual([])
})

test.each([
  ['', 'q', 'invalid_request'],
  ['q=', 'q', 'invalid_request'],
  ['q=%22open', 'q', 'invalid_request'],
  ['q=a+OR+b', 'q', 'invalid_request'],
  ['q=a&kind=letter', 'kind', 'invalid_request'],
  ['q=a&outcome=lost', 'outcome', 'invalid_request'],
  ['q=a&after=run-1/2', 'after', 'invalid_request'],
  ['q=a&enviroment=x', 'enviroment', 'unknown_field'],
])('a search with %j is refused, and names what is wrong', async (query, param, code) => {
  const { acme } = await openMembers()
  const answer = await acme('GET', `/v1/transcripts?${query}`)
  expect(answer.status).toBe(400)
  expect(answer.json<ErrorBody>().error).toMatchObject({ param, code })
})

test('a filter by a run that is not there is answered as the document says', async () => {
  const { acme, app } = await openMembers()
  expect((await acme('GET', '/v1/transcripts?q=start&run=run-0')).status).toBe(404)
  const { paths } = (await (await app.request('/openapi.json')).json()) as {
    paths: Record<string, { get: { responses: object } }>
  }
  expect(paths['/v1/transcripts']?.get.responses).toHaveProperty('404')
})
