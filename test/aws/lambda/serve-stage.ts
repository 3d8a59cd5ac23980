import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DeleteParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { openKeys } from '../../../shared/core/auth/open-keys.ts'
import { openStage, type Stage, type StageOptions } from './open-stage.ts'

export interface ServedStage {
  name: string
  /** Where its API listens. */
  api: string
  /** What an operator of the stage has in the environment: a key of the API, and where AWS is. */
  environment: Record<string, string>
  stage: Stage
  close(): Promise<void>
}

/**
 * A stage whose API is reached over HTTP and whose parameter is in Systems Manager, so that programs find it as they find one
 * in an account. One that names itself twice is refused by the parameter store.
 */
export async function serveStage(options: StageOptions & { name: string }): Promise<ServedStage> {
  const { name } = options
  const stage = await openStage(options)
  const { call, meters, resources, services, world } = stage
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { authorization, 'idempotency-key': idempotencyKey } = incoming.headers
    meters.add('Count api', 1)
    const answer = await call(incoming.method ?? 'GET', incoming.url ?? '/', {
      ...(authorization !== undefined && { key: authorization.replace(/^Bearer /, '') }),
      ...(text !== '' && { body: JSON.parse(text) as unknown }),
      ...(typeof idempotencyKey === 'string' && { headers: { 'idempotency-key': idempotencyKey } }),
    })
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const parameter = `/espalier/${name}/settings`
  const store = new SSMClient()
  const urls = (which: 'url' | 'dead_letters') =>
    Object.fromEntries(
      Object.entries(resources.queues).map(([queue, addresses]) => [queue, addresses[which]]),
    )
  const facts = {
    stage: name,
    region: 'us-east-1',
    api,
    table: resources.table,
    bucket: resources.bucket,
    queues: urls('url'),
    dead_letters: urls('dead_letters'),
  }
  await store.send(new PutParameterCommand({ Name: parameter, Value: JSON.stringify(facts), Type: 'String' }))
  const { key } = await openKeys(world).create('canary', {
    name: 'canary',
    scopes: ['runs:write', 'runs:read', 'datasets:read'],
  })
  return {
    name,
    api,
    environment: {
      ESPALIER_API_KEY: key,
      AWS_ENDPOINT_URL_CLOUDWATCH: services,
      AWS_ENDPOINT_URL_LAMBDA: services,
    },
    stage,
    async close() {
      server.close()
      server.closeAllConnections()
      await store.send(new DeleteParameterCommand({ Name: parameter }))
      store.destroy()
      await stage.close()
    },
  }
}
