import { randomBytes } from 'node:crypto'
import { CreateClusterCommand, ECSClient, RegisterTaskDefinitionCommand } from '@aws-sdk/client-ecs'
import { type AwsWorldOptions, openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { makeTestResources, type TestResources } from './aws-test-resources.ts'
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

/** A cluster and task definitions in moto, for the images that the hosts' contract launches. */
async function makeEmulatedHosts(): Promise<NonNullable<AwsWorldOptions['hosts']>> {
  const name = `espalier-test-${randomBytes(6).toString('hex')}`
  const client = new ECSClient()
  await client.send(new CreateClusterCommand({ clusterName: name }))
  const images = { greeting: `${name}-greeting`, broken: `${name}-broken` }
  for (const family of Object.values(images)) {
    await client.send(
      new RegisterTaskDefinitionCommand({
        family,
        networkMode: 'awsvpc',
        requiresCompatibilities: ['FARGATE'],
        cpu: '256',
        memory: '512',
        containerDefinitions: [{ name: 'host', image: 'none', memory: 512, essential: true }],
      }),
    )
  }
  client.destroy()
  const subnets = await namesIn('DescribeSubnets', /<subnetId>([^<]+)/)
  const [security_group = ''] = await namesIn('DescribeSecurityGroups', /<groupId>([^<]+)/)
  return { cluster: name, subnets: subnets.slice(0, 2), security_group, images, port: 8080 }
}

/** Asks moto's EC2, for which the project has no client. Moto looks at nothing of a signature but the service's name. */
async function namesIn(operation: string, pattern: RegExp): Promise<string[]> {
  const answer = await fetch(process.env.ESPALIER_MOTO ?? '', {
    method: 'POST',
    headers: {
      Authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/ec2/aws4_request, SignedHeaders=host, Signature=none',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ Action: operation, Version: '2016-11-15' }),
  })
  const text = await answer.text()
  return [...text.matchAll(new RegExp(pattern, 'g'))].flatMap(([, name]) => name ?? [])
}
