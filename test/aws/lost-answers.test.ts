import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LedgerChange } from '../../shared/core/world/ports.ts'
import { bytes, text, uniqueName } from '../core/contracts/world/contract-world.ts'
import { type AwsTestWorld, openAwsTestWorld } from './aws-test-world.ts'
import { isCall } from './emulators/fargate-front.ts'
import { isAccount } from './not-shown.ts'
import { firstOf, openProxiedWorld } from './proxied-world.ts'

if (isAccount) console.log('not shown: account: lost answers, which a proxy before the emulators makes')

/** Each test's first request reaches its service, and its answer is lost; the driver then tries again. */
describe.runIf(!isAccount)('a call whose answer is lost on the way', () => {
  let opened: AwsTestWorld
  let partition: string
  beforeAll(async () => {
    opened = await openAwsTestWorld()
  })
  afterAll(() => opened.dispose())
  beforeEach(() => {
    partition = uniqueName()
  })

  const key = (sort = 'item') => ({ partition, sort })
  const ledgerThatLoses = async (operation: string) => {
    const lose = firstOf(1, 'lose answer', (request) => isCall(request, operation))
    const { world, proxy } = await openProxiedWorld(opened.options, 'DYNAMODB', lose)
    return {
      ledger: world.ledger,
      calls: () => proxy.requests.filter((request) => isCall(request, operation)).length,
    }
  }
  const direct = () => opened.world.ledger

  test('adds once', async () => {
    const { ledger, calls } = await ledgerThatLoses('TransactWriteItems')
    expect(await ledger.update({ key: key(), add: { n: 5 } })).toEqual({ ok: true, item: { n: 5 } })
    expect(calls()).toBe(2)
    expect(await direct().get(key())).toEqual({ n: 5 })
  })

  test.each<[string, LedgerChange['if'], LedgerChange['set']]>([
    ['created the item', [{ is: 'absent' }], { by: 'me' }],
    ['moved it on', [{ attribute: 'status', is: 'equal', value: 'old' }], { status: 'new' }],
  ])(
    'with a condition that its own first try made false is answered to have %s',
    async (_, conditions = [], set = {}) => {
      if ('status' in set) await direct().update({ key: key(), set: { status: 'old' } })
      const { ledger, calls } = await ledgerThatLoses('UpdateItem')
      expect(await ledger.update({ key: key(), set, if: conditions })).toEqual({ ok: true, item: set })
      expect(calls()).toBe(2)
    },
  )

  test('is refused when it was another who made the same change', async () => {
    await direct().update({ key: key(), set: { by: 'me' }, if: [{ is: 'absent' }] })
    const { ledger } = await ledgerThatLoses('UpdateItem')
    const again = await ledger.update({ key: key(), set: { by: 'me' }, if: [{ is: 'absent' }] })
    expect(again).toEqual({ ok: false, item: { by: 'me' } })
  })

  test('deletes with a condition and learns of it', async () => {
    await direct().update({ key: key(), set: { a: 1 } })
    const { ledger } = await ledgerThatLoses('TransactWriteItems')
    const deleted = await ledger.update({
      key: key(),
      delete: true,
      if: [{ attribute: 'a', is: 'equal', value: 1 }],
    })
    expect(deleted).toEqual({ ok: true, item: null })
    expect(await direct().get(key())).toBeNull()
  })

  test('makes a transaction once', async () => {
    const { ledger } = await ledgerThatLoses('TransactWriteItems')
    const claimed = await ledger.transact([
      { key: key('claim'), set: { by: 'me' }, if: [{ is: 'absent' }] },
      { key: key('count'), add: { claims: 1 } },
    ])
    expect(claimed).toEqual({ ok: true })
    expect(await direct().get(key('count'))).toEqual({ claims: 1 })
  })

  const objectsThatLose = async (isMeant: (method: string, path: string) => boolean) => {
    const lose = firstOf(1, 'lose answer', ({ method, path }) => isMeant(method, path))
    return (await openProxiedWorld(opened.options, 'S3', lose)).world.objects
  }

  test('puts again, and the last wins', async () => {
    const objects = await objectsThatLose((method) => method === 'PUT')
    expect(await objects.put(partition, bytes('one'))).toMatchObject({ written: true })
    expect(text((await objects.get(partition))?.body)).toBe('one')
  })

  test('creates, and answers that the key was taken: by itself', async () => {
    const objects = await objectsThatLose((method) => method === 'PUT')
    expect(await objects.put(partition, bytes('mine'), { if_none_match: '*' })).toEqual({ written: false })
    expect(text((await objects.get(partition))?.body)).toBe('mine')
  })

  test('ends an upload in parts, whole', async () => {
    const objects = await objectsThatLose((method, path) => method === 'POST' && path.includes('uploadId='))
    const body = Uint8Array.from({ length: 17 * 1024 * 1024 }, (_, index) => (index * 31) % 251)
    expect(await objects.put(partition, body)).toMatchObject({ written: true })
    expect(Buffer.compare((await objects.get(partition))?.body ?? new Uint8Array(), body)).toBe(0)
  })

  test('sends messages at least once', async () => {
    const lose = firstOf(1, 'lose answer', (request) => isCall(request, 'SendMessageBatch'))
    const { world } = await openProxiedWorld(opened.options, 'SQS', lose)
    await world.queues.alone.send([{ body: 'one', group: 'run_1' }])
    const messages = await world.queues.alone.receive({ max: 10, wait: 1, visibility: 30 })
    expect(messages.length).toBeGreaterThan(0)
    expect(new Set(messages.map(({ body }) => body))).toEqual(new Set(['one']))
  })
})
