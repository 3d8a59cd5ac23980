import { expect, onTestFinished, test } from 'vitest'
import {
  type EndpointConfiguration,
  endpointSchema,
} from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { Ledger } from '../../../shared/core/world/ports.ts'
import { openEndpointDirectory } from '../../../shared/play/models/endpoint-directory.ts'
import type { Endpoints } from '../../../shared/play/models/load-endpoints.ts'
import { type ModelPool, openModels } from '../../../shared/play/models/model-pool.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { answerJson, scriptedServer } from './scripted-server.ts'

/** A clock that moves on only when a test says so. */
const clock = { time: 0, now: () => clock.time, sleep: async () => undefined }

async function openLedger(): Promise<Ledger> {
  return (await openTestWorld()).ledger
}

/** The models of one process of a service. */
function openProcess(ledger: Ledger, endpoints: Endpoints = new Map()): ModelPool {
  const models = openModels(endpoints, {
    directory: openEndpointDirectory({ ledger, clock }),
    environment: {},
  })
  onTestFinished(() => models.close())
  return models
}

async function serverThatSays(text: string): Promise<EndpointConfiguration> {
  const { baseUrl } = await scriptedServer((_, response) => answerJson(response, completion(text)))
  return endpointSchema.parse({ kind: 'openai', base_url: baseUrl, max_retries: 0 })
}

async function ask(models: ModelPool, name: string): Promise<string | undefined> {
  const answer = await models.model(name).complete(chatRequest(), { meter: recordingMeter() })
  return answer.choices[0]?.content
}

const added = { origin: 'api' as const, tenant: null }

test('an endpoint that is added is asked by every process at once, as it is after each change', async () => {
  const ledger = await openLedger()
  const [here, there] = [openProcess(ledger), openProcess(ledger)]
  await expect(ask(there, 'mine')).rejects.toMatchObject({ code: 'unknown_endpoint' })
  const directory = openEndpointDirectory({ ledger, clock })
  const one = { ...added, name: 'mine', configuration: await serverThatSays('one') }
  expect(await directory.add(one)).toBe(true)
  expect(await ask(here, 'mine')).toBe('one')
  expect(await ask(there, 'mine')).toBe('one')
  await directory.change({ ...one, configuration: await serverThatSays('two') })
  clock.time += 1000
  expect(await ask(there, 'mine')).toBe('two')
  await directory.remove('mine')
  clock.time += 1000
  await expect(ask(there, 'mine')).rejects.toMatchObject({ code: 'unknown_endpoint' })
})

test('a name is taken once, and what serves models and what people add do not change each other', async () => {
  const directory = openEndpointDirectory({ ledger: await openLedger(), clock })
  const configuration = endpointSchema.parse({ kind: 'simulated' })
  expect(await directory.add({ ...added, name: 'mine', configuration })).toBe(true)
  expect(await directory.add({ ...added, name: 'mine', configuration })).toBe(false)
  const served = { name: 'mine', configuration, origin: 'served' as const, tenant: 'default' }
  expect(await directory.change(served)).toBe(false)
  expect(await directory.change({ ...added, name: 'other', configuration })).toBe(false)
})

test('names of endpoints.json win over those that were added', async () => {
  const ledger = await openLedger()
  const directory = openEndpointDirectory({ ledger, clock })
  await directory.add({ ...added, name: 'mine', configuration: await serverThatSays('added') })
  const models = openProcess(ledger, new Map([['mine', await serverThatSays('of the file')]]))
  await models.refresh()
  expect(await ask(models, 'mine')).toBe('of the file')
  expect(models.list().map(({ id, origin }) => [id, origin])).toEqual([['mine', 'configured']])
})

test("a tenant sees its own endpoints and everybody's, and no other's", async () => {
  const ledger = await openLedger()
  const directory = openEndpointDirectory({ ledger, clock })
  const configuration = endpointSchema.parse({ kind: 'simulated' })
  await directory.add({ ...added, name: 'ours', configuration })
  await directory.add({ ...added, name: 'theirs', configuration, tenant: 'b' })
  const models = openProcess(ledger)
  await models.refresh()
  const names = (tenant?: string) => models.list(tenant).map(({ id }) => id)
  expect(names('a')).toEqual(['ours'])
  expect(names('b')).toEqual(['ours', 'theirs'])
  expect(names()).toEqual(['ours', 'theirs'])
})

test('a service without access to its own network asks no name that leads into it', async () => {
  const ledger = await openLedger()
  const directory = openEndpointDirectory({ ledger, clock })
  const { baseUrl } = await scriptedServer((_, response) => answerJson(response, completion('inside')))
  const configuration = endpointSchema.parse({
    kind: 'openai',
    base_url: baseUrl.replace('127.0.0.1', 'localhost'),
    max_retries: 0,
  })
  await directory.add({ ...added, name: 'inside', configuration })
  const models = openModels(new Map(), { directory, network: 'public', environment: {} })
  onTestFinished(() => models.close())
  await expect(ask(models, 'inside')).rejects.toMatchObject({ failure: 'unreachable' })
  expect(await ask(openProcess(ledger), 'inside')).toBe('inside')
})

test('a name that was removed belongs to its tenant, and to the operator', async () => {
  const ledger = await openLedger()
  const directory = openEndpointDirectory({ ledger, clock })
  const configuration = await serverThatSays('hello')
  const of = (tenant: string | null, name = 'lab') => ({
    name,
    configuration,
    origin: tenant === null ? ('api' as const) : ('served' as const),
    tenant,
  })
  const namesIn = async () => {
    const other = openEndpointDirectory({ ledger, clock })
    await other.refresh()
    return [...other.current().keys()]
  }
  expect(await directory.add(of('acme'))).toBe(true)
  await directory.remove('lab')
  expect([...directory.current().keys()]).toEqual([])
  expect(await namesIn()).toEqual([])
  expect(await directory.change(of('acme'))).toBe(false)
  expect(await directory.add(of('other'))).toBe(false)
  expect(await directory.add(of('acme'))).toBe(true)
  expect(await directory.add(of('acme'))).toBe(false)
  await directory.remove('lab')
  expect(await directory.add(of(null))).toBe(true)
  await directory.remove('lab')
  expect(await directory.add(of('acme'))).toBe(false)
  expect(await directory.add(of(null))).toBe(true)
  expect(await namesIn()).toEqual(['lab'])
  await directory.remove('never')
  expect(await directory.add(of('other', 'never'))).toBe(true)
})
