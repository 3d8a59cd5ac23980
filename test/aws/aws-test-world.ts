import { type AwsWorldOptions, openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { makeTestResources, type TestResources } from './aws-test-resources.ts'
import { makeEmulatedHosts } from './emulated-hosts.ts'
import { isAccount } from './not-shown.ts'

export interface AwsTestWorld {
  world: World
  /** What the world was opened with, to open another one over the same resources. */
  options: AwsWorldOptions
  /** The queue of episodes for long-lived workers, which only a stage with workers uses. */
  lasting: TestResources['lasting']
  dispose(): Promise<void>
}

/** An AWS world with a bucket, a table and queues of its own, over the emulators or, with `AWS_E2E=1`, an account. */
export async function openAwsTestWorld(): Promise<AwsTestWorld> {
  return open(null)
}

/** The same with hosts: in moto, or in the account's cluster that AWS_E2E_HOSTS describes as ESPALIER_HOSTS does. */
export async function openAwsTestWorldWithHosts(): Promise<AwsTestWorld> {
  return open(isAccount ? JSON.parse(process.env.AWS_E2E_HOSTS ?? 'null') : await makeEmulatedHosts())
}

async function open(hosts: AwsWorldOptions['hosts']): Promise<AwsTestWorld> {
  const { lasting, options: resources, remove } = await makeTestResources()
  const options: AwsWorldOptions = { ...resources, hosts }
  const world = openAwsWorld(options)
  return {
    world,
    options,
    lasting,
    async dispose() {
      await world.close()
      await remove()
    },
  }
}
