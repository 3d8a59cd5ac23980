import { randomUUID } from 'node:crypto'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { openMcpServer } from './open-mcp-server.ts'

/** Milliseconds after which a silent client is forgotten: as long as the host keeps unused sessions. */
const longestSilence = 1_800_000

interface McpClient {
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  close(): Promise<void>
}

export class McpClients {
  readonly #environment: string
  readonly #sessions: FacadeSessions
  readonly #log: HostLog
  readonly #now: () => number
  readonly #clients = new Map<string, McpClient>()

  constructor(environment: string, sessions: FacadeSessions, log: HostLog, now = () => performance.now()) {
    this.#environment = environment
    this.#sessions = sessions
    this.#log = log
    this.#now = now
  }

  async answer(request: Request, body?: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : this.#clients.get(id)
    if (id !== null && known === undefined) return refusal(404, -32001, 'Session not found')
    const client = known ?? (await this.#admit())
    if (client === null) return refusal(503, -32000, 'This host has no room for another client now.')
    if (id !== null) {
      this.#clients.delete(id)
      this.#clients.set(id, client)
    }
    client.usedAt = this.#now()
    const answer = await client.transport.handleRequest(
      request,
      body === undefined ? {} : { parsedBody: body },
    )
    // A client without a session leaves nothing behind.
    if (id === null && client.transport.sessionId === undefined) await client.close()
    return answer
  }

  async #admit(): Promise<McpClient | null> {
    const oldest = this.#now() - longestSilence
    for (const [id, client] of this.#clients) {
      if (client.usedAt > oldest) break
      this.#clients.delete(id)
      await client.close()
    }
    if (this.#clients.size >= this.#sessions.slots || this.#sessions.isDraining()) return null
    const { WebStandardStreamableHTTPServerTransport } = await import(
      '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
    )
    const { server, close } = await openMcpServer(this.#environment, this.#sessions, this.#log)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => {
        this.#clients.set(id, client)
      },
      onsessionclosed: async (id) => {
        this.#clients.delete(id)
        await client.close()
      },
    })
    const client: McpClient = {
      transport,
      usedAt: this.#now(),
      close: async () => {
        try {
          await close()
        } catch (error) {
          this.#log('error', 'mcp.failed', { error: errorText(error) })
        }
      },
    }
    await server.connect(transport)
    return client
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
