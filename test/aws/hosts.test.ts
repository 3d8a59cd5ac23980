import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import { NoCapacityError } from '../../shared/core/world/no-capacity-error.ts'
import { uniqueName } from '../core/contracts/world/contract-world.ts'
import { type AwsTestWorld, openAwsTestWorldWithHosts } from './aws-test-world.ts'
import { isCall } from './emulators/fargate-front.ts'
import type { Passage, PassingRequest } from './emulators/wire-proxy.ts'
import { isAccount, sayNotShown, whereShown } from './not-shown.ts'
import { openProxiedWorld } from './proxied-world.ts'

const bodyOf = (request: PassingRequest | undefined) => JSON.parse(request?.body.toString() ?? '{}')
const answer = (value: object, status = 200): Passage => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.1' },
  answer: JSON.stringify(value),
})
const noCapacity = answer({ tasks: [], failures: [{ reason: 'Capacity is unavailable at this time.' }] })
const isSpot = (request: PassingRequest) =>
  isCall(request, 'RunTask') && request.body.toString().includes('FARGATE_SPOT')

sayNotShown('capacity_providers')
whereShown('client_tokens', () => {
  test.runIf(process.env.AWS_E2E_HOSTS)(
    'two processes that launch with one token launch one host',
    async () => {
      const { options, dispose } = await openAwsTestWorldWithHosts()
      const worlds = [openAwsWorld(options), openAwsWorld(options)]
      const token = uniqueName()
      const hosts = await Promise.all(worlds.map(({ hosts }) => hosts.launch({ image: 'greeting', token })))
      expect(hosts[0]?.id).toBe(hosts[1]?.id)
      await worlds[0]?.hosts.stop(hosts[0]?.id ?? '')
      await Promise.all([...worlds.map((world) => world.close()), dispose()])
    },
  )
})
if (isAccount) console.log('not shown: account: what ECS is asked, which a proxy before the emulators sees')

describe.runIf(!isAccount)('hosts on ECS', () => {
  let opened: AwsTestWorld
  beforeAll(async () => {
    opened = await openAwsTestWorldWithHosts()
  })
  afterAll(() => opened.dispose())

  const proxied = (decide: (request: PassingRequest) => Passage) =>
    openProxiedWorld(opened.options, 'ECS', decide)

  test('are launched on Spot, in the public subnets, with their settings and who pays for them', async () => {
    const { world, proxy } = await proxied(() => 'pass')
    await world.hosts.launch({ image: 'greeting', token: 'a token!', environment: { GREETING: 'hello' } })
    const { hosts } = opened.options
    expect(bodyOf(proxy.requests[0])).toMatchObject({
      taskDefinition: hosts?.images.greeting,
      count: 1,
      capacityProviderStrategy: [{ capacityProvider: 'FARGATE_SPOT' }],
      networkConfiguration: {
        awsvpcConfiguration: {
          subnets: hosts?.subnets,
          securityGroups: [hosts?.security_group],
          assignPublicIp: 'ENABLED',
        },
      },
      overrides: {
        containerOverrides: [{ name: 'host', environment: [{ name: 'GREETING', value: 'hello' }] }],
      },
      propagateTags: 'TASK_DEFINITION',
      startedBy: 'a_token_',
      clientToken: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('are launched on demand when Spot has no capacity, and only so from then on', async () => {
    const token = uniqueName()
    const refusing = await proxied((request) => {
      if (isSpot(request)) return noCapacity
      return isCall(request, 'RunTask')
        ? answer({ tasks: [], failures: [{ reason: 'RESOURCE:CPU' }] })
        : 'pass'
    })
    await expect(refusing.world.hosts.launch({ image: 'greeting', token })).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/no capacity.*FARGATE_SPOT: Capacity.*FARGATE: RESOURCE/),
    })
    await opened.world.hosts.launch({ image: 'greeting', token })
    const { world, proxy } = await proxied(() => 'pass')
    expect(await world.hosts.launch({ image: 'greeting', token })).toMatchObject({ status: 'running' })
    expect(proxy.requests.filter((request) => isCall(request, 'RunTask'))).toHaveLength(0)
  })

  test('are launched on demand when the quota of Spot is used up, and say which quotas to raise', async () => {
    const message = "You've reached the limit on the number of vCPUs you can run concurrently"
    const full = answer({ __type: 'ClientException', message }, 400)
    const spot = await proxied((request) => (isSpot(request) ? full : 'pass'))
    const host = await spot.world.hosts.launch({ image: 'greeting', token: uniqueName() })
    expect(host.image).toBe('greeting')
    const both = await proxied((request) => (isCall(request, 'RunTask') ? full : 'pass'))
    const refused = both.world.hosts.launch({ image: 'greeting', token: uniqueName() })
    await expect(refused).rejects.toBeInstanceOf(NoCapacityError)
    await expect(refused).rejects.toThrow(/Fargate Spot vCPU resource count.*max_hosts/)
  })

  test('are launched on demand alone where that is asked for', async () => {
    const { world, proxy } = await proxied(() => 'pass')
    await world.hosts.launch({ image: 'greeting', token: uniqueName(), on_demand: true })
    const launches = proxy.requests.filter((request) => isCall(request, 'RunTask'))
    expect(launches.map((request) => isSpot(request))).toEqual([false])
  })

  test('that another process launched with the same token and other words are the same', async () => {
    const id = randomUUID().replaceAll('-', '')
    const taken = answer(
      { __type: 'ConflictException', message: 'In use.', resourceIds: [`arn:aws:ecs:r:1:task/c/${id}`] },
      400,
    )
    const { world } = await proxied((request) => (isCall(request, 'RunTask') ? taken : 'pass'))
    const host = await world.hosts.launch({ image: 'greeting', token: uniqueName() })
    expect(host).toMatchObject({ id, image: 'greeting', status: 'starting' })
  })

  test('of which ECS knows nothing any more are stopped, to those who have their token', async () => {
    const token = uniqueName()
    const host = await opened.world.hosts.launch({ image: 'greeting', token })
    const { world } = await proxied((request) =>
      isCall(request, 'DescribeTasks') ? answer({ tasks: [], failures: [] }) : 'pass',
    )
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    const again = await world.hosts.launch({ image: 'greeting', token })
    expect(again).toEqual({
      id: host.id,
      image: 'greeting',
      status: 'stopped',
      address: null,
      reason: expect.stringContaining('forgotten'),
    })
  })

  test('are described a hundred at a time', async () => {
    const { world, proxy } = await proxied(() => 'pass')
    const ids = Array.from({ length: 150 }, () => randomUUID())
    expect(await world.hosts.describe(ids)).toEqual([])
    expect(proxy.requests.map((request) => bodyOf(request).tasks.length).toSorted()).toEqual([100, 50])
  })

  test('are listed page by page', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => opened.world.hosts.launch({ image: 'broken', token: uniqueName() })),
    )
    const pages: Record<string, Passage> = {
      '': answer({ taskArns: [`arn:aws:ecs:r:1:task/c/${one?.id}`], nextToken: 'next' }),
      next: answer({ taskArns: [`arn:aws:ecs:r:1:task/c/${two?.id}`] }),
    }
    const { world } = await proxied((request) =>
      isCall(request, 'ListTasks') ? (pages[bodyOf(request).nextToken ?? ''] ?? 'pass') : 'pass',
    )
    const listed = await world.hosts.list()
    expect(listed.map(({ id }) => id).toSorted()).toEqual([one?.id, two?.id].toSorted())
    expect(listed[0]).toMatchObject({ image: 'broken' })
  })

  test('that ECS does not know can be stopped', async () => {
    const unknown = answer(
      { __type: 'InvalidParameterException', message: 'The referenced task was not found.' },
      400,
    )
    const { world } = await proxied(() => unknown)
    await world.hosts.stop(randomUUID())
  })

  test('with too large an environment are refused before ECS is asked', async () => {
    const { world, proxy } = await proxied(() => 'pass')
    const request = { image: 'greeting', token: uniqueName(), environment: { LARGE: 'x'.repeat(9000) } }
    await expect(world.hosts.launch(request)).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'environment',
    })
    expect(proxy.requests).toEqual([])
  })
})
