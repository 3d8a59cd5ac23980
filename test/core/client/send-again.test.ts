import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openClient } from '../../../cli/open-client.ts'
import { createFetchTransport } from '../../../shared/core/client/fetch-transport.ts'
import { findFreePort } from '../../../shared/learn/serving/server-process.ts'

const running = new AbortController().signal

/** A port that refuses, and then a service that answers there. */
async function laterService() {
  const port = await findFreePort()
  const seen: string[] = []
  let server: Server | null = null
  onTestFinished(() => {
    server?.closeAllConnections()
    server?.close()
  })
  return {
    address: `http://127.0.0.1:${port}`,
    seen,
    start: async () => {
      server = createServer((request, response) => {
        seen.push(`${request.method} ${request.url}`)
        response.setHeader('Content-Type', 'application/json').end('{"data":[]}')
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

test.each([['GET'], ['POST']] as const)(
  'a refused %s of the TypeScript client is sent again',
  async (method) => {
    const { address, seen, start } = await laterService()
    let refused = 0
    const transport = createFetchTransport({
      address,
      fetch: async (url, init) => {
        try {
          return await fetch(url, init)
        } catch (error) {
          refused += 1
          if (refused === 2) await start()
          throw error
        }
      },
    })
    expect(await transport.json(method, '/v1/runs', method === 'POST' ? { body: {} } : {})).toEqual({
      data: [],
    })
    expect(seen).toEqual([`${method} /v1/runs`])
    expect(refused).toBe(2)
  },
)

test.each([['GET'], ['POST']] as const)('a refused %s of a command is sent again', async (method) => {
  const { address, seen, start } = await laterService()
  let refused = 0
  const client = openClient({
    address,
    signal: running,
    fetcher: async (url, init) => {
      try {
        return await fetch(url, init)
      } catch (error) {
        refused += 1
        if (refused === 2) await start()
        throw error
      }
    },
  })
  await (method === 'GET' ? client.runs({ limit: 1 }) : client.compare(['run-1', 'run-2']))
  expect(seen).toHaveLength(1)
})

test('a service that never comes is given up, and an interruption ends the waiting', async () => {
  const { address } = await laterService()
  const controller = new AbortController()
  let tries = 0
  const client = openClient({
    address,
    signal: controller.signal,
    fetcher: (url, init) => {
      tries += 1
      if (tries === 2) controller.abort()
      return fetch(url, init)
    },
  })
  await expect(client.runs({ limit: 1 })).rejects.toMatchObject({ exitCode: 130 })
  expect(tries).toBe(2)
})
