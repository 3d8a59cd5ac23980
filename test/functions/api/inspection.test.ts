import { expect, test } from 'vitest'
import {
  callsExample,
  growthExample,
  nodeExample,
  usesExample,
  waterfallExample,
} from '../../../functions/api/openapi/inspection-examples.ts'
import { openTestApi, readError } from './open-test-api.ts'

const episode = '/v1/runs/run-1/episodes/ep-0000000'

test('growth, calls, waterfall, nodes and uses are answered as they are', async () => {
  const { app, services } = openTestApi()
  const read = async (path: string) => (await app.request(path)).json()
  expect(await read(`${episode}/growth`)).toEqual(growthExample)
  expect(await read(`${episode}/calls`)).toEqual(callsExample)
  expect(await read(`${episode}/waterfall`)).toEqual(waterfallExample)
  expect(await read(`${episode}/nodes/17`)).toEqual(nodeExample)
  expect(await read('/v1/memories/mem-1/uses')).toEqual(usesExample)
  expect(await read('/v1/memories/mem-1/uses?run=run-2')).toEqual(usesExample)
  expect(services.calls).toEqual([
    { name: 'growth', given: ['run-1', 'ep-0000000'] },
    { name: 'calls', given: ['run-1', 'ep-0000000'] },
    { name: 'waterfall', given: ['run-1', 'ep-0000000'] },
    { name: 'node', given: ['run-1', 'ep-0000000', 17] },
    { name: 'noteUses', given: ['mem-1', {}] },
    { name: 'noteUses', given: ['mem-1', { run: 'run-2' }] },
  ])
})

test.each(['-1', '1.5', 'x', '9999999999'])('no tree has a node "%s"', async (node) => {
  const { app, services } = openTestApi()
  const answer = await app.request(`${episode}/nodes/${node}`)
  expect(await readError(answer)).toMatchObject({ status: 404, code: 'not_found', param: 'node' })
  expect(services.calls).toEqual([])
})

test('a misspelt parameter is refused', async () => {
  const { app } = openTestApi()
  expect(await readError(await app.request('/v1/memories/mem-1/uses?runs=run-2'))).toMatchObject({
    status: 400,
    param: 'runs',
  })
})

test('a node whose prompts are too large for an answer is kept, and answered with its address', async () => {
  const { app, services } = openTestApi()
  const messages = [{ role: 'user' as const, content: 'x'.repeat(5_000_000) }]
  const [proposal] = [nodeExample.proposal].flatMap((call) => (call ? [{ ...call, messages }] : []))
  services.detail = { ...nodeExample, proposal: proposal ?? null }
  const answer = await app.request(`${episode}/nodes/3`)
  expect(answer.status).toBe(307)
  expect(answer.headers.get('Location')).toContain('file_name=run-1-ep-0000000-node-3.json')
  expect(services.put).toEqual(['runs/run-1/episodes/ep-0000000/live/node-3.json'])
})
