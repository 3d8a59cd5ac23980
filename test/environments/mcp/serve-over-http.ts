import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Hono } from 'hono'
import { serveApp } from '../../support/serve-app.ts'

/** Serves an MCP server over streamable HTTP until the test is over: one for each session. */
export async function serveOverHttp(open: () => McpServer) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const app = new Hono()
  app.all('/mcp', async (context) => {
    const known = sessions.get(context.req.header('mcp-session-id') ?? '')
    if (known) return known.handleRequest(context.req.raw)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport)
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
    })
    await open().connect(transport)
    return transport.handleRequest(context.req.raw)
  })
  return { address: `${await serveApp(app)}/mcp`, sessions }
}
