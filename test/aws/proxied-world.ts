import { onTestFinished } from 'vitest'
import { type AwsWorldOptions, openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { openWireProxy, type Passage, type PassingRequest, type WireProxy } from './emulators/wire-proxy.ts'

const firstCalls = {
  S3: (world: World) => world.objects.head('none'),
  SQS: (world: World) => world.queues.episodes.delete('none'),
  DYNAMODB: (world: World) => world.ledger.get({ partition: 'none', sort: 'none' }),
  ECS: (world: World) => world.hosts.list(),
}

/**
 * A world of the current test over a test world's resources, with a proxy before one of its services. Only over the
 * emulators, whose addresses are known.
 *
 * @param service as in the SDK's variables
 */
export async function openProxiedWorld(
  options: AwsWorldOptions,
  service: keyof typeof firstCalls,
  decide: (request: PassingRequest) => Passage | Promise<Passage>,
): Promise<{ world: World; proxy: WireProxy }> {
  const variable = `AWS_ENDPOINT_URL_${service}`
  const target = process.env[variable] ?? ''
  let isOpen = false
  const proxy = await openWireProxy(target, (request) => (isOpen ? decide(request) : 'pass'))
  process.env[variable] = proxy.address
  const world = openAwsWorld(options)
  // A client reads its address with its first call.
  await firstCalls[service](world)
  process.env[variable] = target
  proxy.requests.length = 0
  isOpen = true
  onTestFinished(async () => {
    await world.close()
    await proxy.close()
  })
  return { world, proxy }
}

/** Does something with the first so many requests that are meant, and lets all others pass. */
export function firstOf(
  times: number,
  passage: Passage,
  isMeant: (request: PassingRequest) => boolean,
): (request: PassingRequest) => Passage {
  let left = times
  return (request) => {
    if (left === 0 || !isMeant(request)) return 'pass'
    left -= 1
    return passage
  }
}
