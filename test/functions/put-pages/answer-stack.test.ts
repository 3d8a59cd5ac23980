import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { answerStack } from '../../../functions/put-pages/answer-stack.ts'

const request = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Put' }

/** What CloudFormation gives: an address that takes one answer. */
async function listen(status: number) {
  const received: { method: string | undefined; type: string | undefined; body: unknown }[] = []
  const server = createServer(async (message: IncomingMessage, response) => {
    const { method, headers } = message
    received.push({ method, type: headers['content-type'], body: JSON.parse(await text(message)) })
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.')
  return { received, ResponseURL: `http://127.0.0.1:${address.port}/answer?signature=x` }
}

test('a stack receives what succeeded, under the names that it gave', async () => {
  const { received, ResponseURL } = await listen(200)
  await answerStack({ ...request, ResponseURL }, { resource: 'bucket', failure: null })
  expect(received).toEqual([
    { method: 'PUT', type: '', body: { Status: 'SUCCESS', PhysicalResourceId: 'bucket', ...request } },
  ])
})

test('a failure is reported with its reason, cut to what CloudFormation takes', async () => {
  const { received, ResponseURL } = await listen(200)
  await answerStack({ ...request, ResponseURL }, { resource: 'bucket', failure: 'x'.repeat(9000) })
  expect(received[0]?.body).toMatchObject({ Status: 'FAILED', Reason: 'x'.repeat(1000) })
})

test('an answer that is refused is an error, so that the call is made again', async () => {
  const { ResponseURL } = await listen(403)
  await expect(
    answerStack({ ...request, ResponseURL }, { resource: 'bucket', failure: null }),
  ).rejects.toThrow('403')
})
