import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AwsConnections } from '../../../../shared/core/world/aws/aws-connections.ts'
import { AwsObjects } from '../../../../shared/core/world/aws/aws-objects.ts'

/** S3 as far as it is needed here: it answers with the checksum of what was written, and with a body that may be another. */
const written = Buffer.from('{"a":1}')
let stored = written
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(written))
  response.setHeader('etag', '"etag"')
  if (request.headers['x-amz-checksum-mode'] === 'ENABLED')
    response.setHeader('x-amz-checksum-crc32', sum.toString('base64'))
  response.end(stored)
})
const before = { ...process.env }
let connections: AwsConnections

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_RESPONSE_CHECKSUM_VALIDATION: 'when_required',
  })
  connections = new AwsConnections()
})
afterAll(async () => {
  await connections.close()
  server.closeAllConnections()
  server.close()
  process.env = before
})

test('a body that is not what S3 keeps a checksum of is not served, and is not asked for again', async () => {
  const objects = new AwsObjects(connections, 'bucket')
  expect(Buffer.from((await objects.get('runs/r/tree.json'))?.body ?? []).toString()).toBe('{"a":1}')
  stored = Buffer.from('{"a":3}')
  asked = 0
  await expect(objects.get('runs/r/tree.json')).rejects.toMatchObject({
    code: 'damaged_object',
    message: expect.stringContaining('the object "runs/r/tree.json"'),
  })
  expect(asked).toBe(1)
})
