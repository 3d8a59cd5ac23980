import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { mostCallsAtOnce } from '../../shared/core/world/aws/aws-connections.ts'
import { openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import { bytes, uniqueName } from '../core/contracts/world/contract-world.ts'
import { type AwsTestWorld, openAwsTestWorld } from './aws-test-world.ts'
import { isCall } from './emulators/fargate-front.ts'
import type { Passage } from './emulators/wire-proxy.ts'
import { isAccount } from './not-shown.ts'
import { firstOf, openProxiedWorld } from './proxied-world.ts'

if (isAccount) console.log('not shown: account: failing services, which a proxy before the emulators makes')

const json = { 'Content-Type': 'application/x-amz-json-1.0' }
const failure = (status: number, type: string, message: string): Passage => ({
  status,
  headers: json,
  answer: JSON.stringify({ __type: type, message }),
})
const xml = (status: number, code: string): Passage => ({
  status,
  headers: { 'Content-Type': 'application/xml' },
  answer: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>As the test says.</Message></Error>`,
})

describe.runIf(!isAccount)('a service that fails', () => {
  let opened: AwsTestWorld
  beforeAll(async () => {
    opened = await openAwsTestWorld()
  })
  afterAll(() => opened.dispose())

  test('for a while is asked again', async () => {
    const throttled = failure(400, 'ThrottlingException', 'Too fast.')
    const { world, proxy } = await openProxiedWorld(
      opened.options,
      'DYNAMODB',
      firstOf(2, throttled, (request) => isCall(request, 'UpdateItem')),
    )
    const key = { partition: uniqueName(), sort: 'a' }
    expect(await world.ledger.update({ key, set: { a: 1 } })).toEqual({ ok: true, item: { a: 1 } })
    expect(proxy.requests).toHaveLength(3)
  })

  test('for longer fails the call, and says where', async () => {
    let refusals = 0
    const onRefusal = () => {
      refusals += 1
    }
    const options = { ...opened.options, max_attempts: 2, onRefusal }
    const { world } = await openProxiedWorld(options, 'S3', () => xml(503, 'SlowDown'))
    await expect(world.objects.put('runs/a', bytes('one'))).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(
        `Could not write "runs/a" in the bucket "${options.bucket}" after 2 tries \\(SlowDown`,
      ),
    })
    // Each try is one that S3 refused, for whoever watches it.
    expect(refusals).toBe(2)
  })

  test('by transactions that meet others is asked again', async () => {
    const met: Passage = {
      status: 400,
      headers: json,
      answer: JSON.stringify({
        __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
        message: 'Transaction cancelled',
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
      }),
    }
    const { world } = await openProxiedWorld(
      opened.options,
      'DYNAMODB',
      firstOf(3, met, (request) => isCall(request, 'TransactWriteItems')),
    )
    const key = { partition: uniqueName(), sort: 'a' }
    expect(await world.ledger.update({ key, add: { n: 1 } })).toEqual({ ok: true, item: { n: 1 } })
  })

  test('by a change whose answer is lost before it meets a transaction knows its own change', async () => {
    const answers: Passage[] = [
      'lose answer',
      failure(400, 'TransactionConflictException', 'Transaction is ongoing for the item'),
    ]
    const { world, proxy } = await openProxiedWorld(opened.options, 'DYNAMODB', (request) =>
      isCall(request, 'UpdateItem') ? (answers.shift() ?? 'pass') : 'pass',
    )
    const key = { partition: uniqueName(), sort: 'a' }
    const made = await world.ledger.update({ key, set: { by: 'me' }, if: [{ is: 'absent' }] })
    expect(made).toEqual({ ok: true, item: { by: 'me' } })
    expect(proxy.requests).toHaveLength(3)
  })

  test('by writes that meet others under one key is asked again', async () => {
    const { world } = await openProxiedWorld(
      opened.options,
      'S3',
      firstOf(2, xml(409, 'ConditionalRequestConflict'), ({ method }) => method === 'PUT'),
    )
    const put = await world.objects.put(uniqueName(), bytes('one'), { if_none_match: '*' })
    expect(put).toMatchObject({ written: true })
  })

  test('because it is slow gets each of five hundred calls at once a single time', async () => {
    const calls = 500
    let [came, open, most] = [0, 0, 0]
    // The first answer comes when as many requests wait for one as the client lets through.
    const full = Promise.withResolvers<void>()
    const { world, proxy } = await openProxiedWorld(opened.options, 'S3', async () => {
      came += 1
      open += 1
      most = Math.max(most, open)
      if (came === mostCallsAtOnce) full.resolve()
      await full.promise
      open -= 1
      return xml(404, 'NoSuchKey')
    })
    // The SDK gives up connections and answers by these, and this process may be slower.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const read = await Promise.all(Array.from({ length: calls }, (_, index) => world.objects.get(`${index}`)))
    expect(new Set(read)).toEqual(new Set([null]))
    expect(proxy.requests).toHaveLength(calls)
    expect(most).toBe(mostCallsAtOnce)
  })

  test('never sees a large body put without its condition', async () => {
    const { world, proxy } = await openProxiedWorld(opened.options, 'S3', () => 'pass')
    const etag = '"0123456789abcdef0123456789abcdef"'
    await world.objects.put('runs/large', new Uint8Array(16 * 1024 * 1024), { if_match: etag })
    const completed = proxy.requests.filter(
      ({ method, path }) => method === 'POST' && path.includes('uploadId='),
    )
    expect(completed.map(({ headers }) => headers['if-match'])).toEqual([etag])
  })

  test('to take some messages of a batch gets those again', async () => {
    const partly: Passage = {
      status: 200,
      headers: json,
      answer: JSON.stringify({
        Successful: [],
        Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false, Message: 'Later.' }],
      }),
    }
    const { world, proxy } = await openProxiedWorld(
      opened.options,
      'SQS',
      firstOf(1, partly, (request) => isCall(request, 'SendMessageBatch')),
    )
    await world.queues.alone.send([{ body: 'one', group: 'run_1' }])
    expect(await world.queues.alone.receive({ max: 10, wait: 1, visibility: 30 })).toMatchObject([
      { body: 'one' },
    ])
    expect(proxy.requests.filter((request) => isCall(request, 'SendMessageBatch'))).toHaveLength(2)
  })

  test('to hide a message for longer than twelve hours lets it come back', async () => {
    const message =
      'Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]'
    const { world, proxy } = await openProxiedWorld(opened.options, 'SQS', () =>
      failure(400, 'com.amazonaws.sqs#InvalidParameterValueException', message),
    )
    await world.queues.alone.extend('a receipt', 43_200)
    expect(proxy.requests).toHaveLength(1)
  })

  test('because it refuses a message fails the call at once', async () => {
    const refused: Passage = {
      status: 200,
      headers: json,
      answer: JSON.stringify({ Successful: [], Failed: [{ Id: '0', Code: 'Bad', SenderFault: true }] }),
    }
    const { world } = await openProxiedWorld(opened.options, 'SQS', () => refused)
    await expect(world.queues.alone.send([{ body: 'one', group: 'run_1' }])).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('1 of 1 messages'),
    })
  })

  test('because the role lacks a right names the setting', async () => {
    const denied = failure(400, 'AccessDeniedException', 'User is not authorized to perform: dynamodb:Query')
    const { world } = await openProxiedWorld(opened.options, 'DYNAMODB', () => denied)
    await expect(world.ledger.query('runs')).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/lacks the right.*ESPALIER_TABLE/),
    })
  })

  test('because the credentials are wrong does not quote the request', async () => {
    const wrong = failure(
      403,
      'InvalidSignatureException',
      'The Canonical String should have been: x-amz-security-token:SECRET',
    )
    const { world } = await openProxiedWorld(opened.options, 'DYNAMODB', () => wrong)
    const error: unknown = await world.ledger
      .get({ partition: 'a', sort: 'b' })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'storage_failed', message: expect.stringContaining('credentials') })
    expect(error).not.toHaveProperty('cause')
    expect(String(error)).not.toContain('SECRET')
  })
})

describe('a resource that is not there', () => {
  const name = uniqueName()
  const queue = { url: `https://sqs.us-east-1.amazonaws.com/000000000000/${name}`, dead_letters: 'none' }
  const world = openAwsWorld({
    table: name,
    bucket: name,
    queues: { episodes: queue, alone: queue, datasets: queue, jobs: queue },
    hosts: null,
  })
  afterAll(() => world.close())

  test.each<[string, () => Promise<unknown>]>([
    ['ESPALIER_TABLE', () => world.ledger.get({ partition: 'a', sort: 'b' })],
    ['ESPALIER_BUCKET', () => world.objects.put('a', bytes('a'))],
    ['ESPALIER_BUCKET', () => world.objects.get('a')],
    ['ESPALIER_QUEUE_ALONE', () => world.queues.alone.receive({ max: 1, wait: 0, visibility: 1 })],
    ['ESPALIER_QUEUE_EPISODES', () => world.queues.episodes.send([{ body: 1, group: 'a' }])],
    ['ESPALIER_HOSTS', () => world.hosts.list()],
  ])('names %s', async (setting, call) => {
    await expect(call()).rejects.toMatchObject({ message: expect.stringContaining(setting) })
  })
})

test('a closed world takes no calls, and closing it again is fine', async () => {
  const { world, dispose } = await openAwsTestWorld()
  const waiting = world.queues.alone.receive({ max: 1, wait: 20, visibility: 1 })
  const putting = world.objects.put('a', bytes('a'))
  await world.close()
  await world.close()
  expect(await waiting).toEqual([])
  expect(await putting).toMatchObject({ written: true })
  await expect(world.objects.get('a')).rejects.toMatchObject({ code: 'invalid_state' })
  await expect(world.ledger.get({ partition: 'a', sort: 'b' })).rejects.toMatchObject({
    code: 'invalid_state',
  })
  await expect(world.queues.alone.receive({ max: 1, wait: 0, visibility: 1 })).rejects.toThrow('closed')
  await dispose()
})
