import { randomBytes } from 'node:crypto'
import { CreateClusterCommand, ECSClient, RegisterTaskDefinitionCommand } from '@aws-sdk/client-ecs'
import type { AwsWorldOptions } from '../../shared/core/world/aws/open-aws-world.ts'

/** A cluster and task definitions in moto, for the images that the hosts' contract launches. */
export async function makeEmulatedHosts(): Promise<NonNullable<AwsWorldOptions['hosts']>> {
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
