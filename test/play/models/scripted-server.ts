import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A real HTTP server on a free port of 127.0.0.1, which goes away with its test. */
export async function scriptedServer(
  answer: (request: IncomingMessage, response: ServerResponse, position: number) => void,
): Promise<{ baseUrl: string; callIds: (string | undefined)[] }> {
  const callIds: (string | undefined)[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      callIds.push(request.headers['x-client-request-id']?.toString())
      answer(request, response, callIds.length - 1)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, callIds }
}

export function answerJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
