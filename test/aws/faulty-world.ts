import { openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import type { ContractWorld } from '../core/contracts/world/contract-world.ts'
import { openAwsTestWorld } from './aws-test-world.ts'
import type { FaultyService } from './emulators/fault-answers.ts'
import { type FaultOptions, type FaultProxy, startFaultProxy } from './emulators/fault-proxy.ts'

const services: FaultyService[] = ['s3', 'sqs', 'dynamodb']

/** A world of its own with a fault proxy before each service. Only over the emulators, whose addresses are known. */
export async function openFaultyWorld(
  options: FaultOptions,
): Promise<ContractWorld & { proxies: FaultProxy[] }> {
  const behind = await openAwsTestWorld()
  const before = { ...process.env }
  const proxies = await Promise.all(
    services.map((service) => startFaultProxy(service, before[variableOf(service)] ?? '', options)),
  )
  for (const { service, address } of proxies) process.env[variableOf(service)] = address
  const world = openAwsWorld(behind.options)
  // A client reads its address with its first call.
  await Promise.all([
    world.objects.head('none'),
    world.queues.episodes.delete('none'),
    world.ledger.get({ partition: 'none', sort: 'none' }),
  ])
  for (const service of services) process.env[variableOf(service)] = before[variableOf(service)]
  return {
    world,
    proxies,
    async dispose() {
      await world.close()
      await Promise.all(proxies.map((proxy) => proxy.close()))
      await behind.dispose()
    },
  }
}

function variableOf(service: FaultyService): string {
  return `AWS_ENDPOINT_URL_${service.toUpperCase()}`
}
