import { extname, join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import { clipStart, clipText } from '../../core/contracts/well-formed.ts'
import { registeredFetch } from '../../core/outbound/outbound-fetch.ts'
import { SessionLostError } from '../session-lost-error.ts'
import { boundResponse, longestOutsideAnswer, tooLong } from '../tools/bounded-response.ts'
import type { Tool } from '../tools/tool-call.ts'
import type { McpRegistration } from './mcp-registration.ts'

/** Connection timeout in milliseconds, long enough for a server that must start first. */
const longestConnect = 60_000
const longestCall = 300_000
const longestClose = 5000
const mostTools = 2000
const codes = { closed: -32000, late: -32001, wrongArguments: -32602 }

const guard = join(import.meta.dirname, `stdio-guard${extname(import.meta.filename)}`)

export interface McpServerPlace {
  readonly id: string
  readonly server: McpRegistration['server']
  readonly folder: string
}

export type McpAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'refused' | 'failed'; readonly message: string }

interface ConnectionParts {
  name: string
  client: Client
  transport: Transport
  broken: AbortSignal
}

/**
 * A session with an MCP server: a process of its own, or a session over streamable HTTP. The SDK is loaded with the
 * first.
 * @example
 * const connection = await McpConnection.open({ id: 'lab', server: { address }, folder: '.' }, signal)
 * await connection.call('greet', { name: 'Ada' }, signal)
 */
export class McpConnection {
  readonly #name: string
  readonly #client: Client
  readonly #transport: Transport
  readonly #broken: AbortSignal

  /**
   * @throws SessionLostError when the server is not there, or leaves; EspalierError `endpoint_failed` when it refuses
   * the connection; `invalid_request` when a variable that it needs is not set
   */
  static async open(place: McpServerPlace, signal: AbortSignal): Promise<McpConnection> {
    const name = mcpServerName(place.id)
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const broken = new AbortController()
    const onTooLong = (error: Error) => broken.abort(error)
    const { transport, lastWords } = await toTransport(place, name, onTooLong)
    const client = new Client({ name: 'espalier', version: '1' }, { capabilities: {} })
    client.onerror = ({ message }) => {
      if (message.startsWith('ReadBuffer exceeded')) onTooLong(tooLong(longestOutsideAnswer))
    }
    const ends = [signal, broken.signal, AbortSignal.timeout(longestConnect)]
    try {
      await followed((own) => client.connect(transport, { signal: own, timeout: longestConnect }), ends)
    } catch (error) {
      await client.close().catch(() => undefined)
      signal.throwIfAborted()
      throw toError(error, `${name} could not be connected to`, { lastWords: lastWords() })
    }
    return new McpConnection({ name, client, transport, broken: broken.signal })
  }

  private constructor({ name, client, transport, broken }: ConnectionParts) {
    this.#name = name
    this.#client = client
    this.#transport = transport
    this.#broken = broken
  }

  get instructions(): string {
    return this.#client.getInstructions() ?? ''
  }

  async listTools(signal: AbortSignal): Promise<Tool[]> {
    const found: Tool[] = []
    try {
      for (
        let cursor: string | undefined, more = true;
        more && found.length < mostTools;
        more = cursor !== undefined
      ) {
        const asked = cursor === undefined ? {} : { cursor }
        const page = await followed(
          (own) => this.#client.listTools(asked, { signal: own, timeout: longestConnect }),
          [signal, this.#broken],
        )
        for (const { name, description = '', inputSchema } of page.tools) {
          found.push({ name, description, schema: jsonObjectSchema.parse(inputSchema) })
        }
        cursor = page.nextCursor
      }
    } catch (error) {
      signal.throwIfAborted()
      throw toError(error, `${this.#name} could not list its tools`, { inSession: true })
    }
    return found
  }

  /**
   * Calls a tool. A failure that the tool itself reports is a result.
   * @throws SessionLostError when no answer came; EspalierError `endpoint_failed` for an unusable answer
   */
  async call(tool: string, parameters: JsonObject, signal: AbortSignal): Promise<McpAnswer> {
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
    const request = { method: 'tools/call' as const, params: { name: tool, arguments: parameters } }
    try {
      const result = await followed(
        (own) => this.#client.request(request, CallToolResultSchema, { signal: own, timeout: longestCall }),
        [signal, this.#broken],
      )
      return { kind: 'result', result: jsonObjectSchema.parse(result) }
    } catch (error) {
      signal.throwIfAborted()
      const code = codeOf(error)
      const message = error instanceof Error ? clipText(error.message, 1000) : String(error)
      if (code === codes.wrongArguments) return { kind: 'refused', message }
      if (isProtocolError(error) && code !== codes.closed && code !== codes.late)
        return { kind: 'failed', message }
      throw toError(error, `${this.#name} gave no result of the tool "${tool}"`, { inSession: true })
    }
  }

  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, longestClose)
    const ending = (async () => {
      if ('terminateSession' in this.#transport)
        await (this.#transport.terminateSession as () => Promise<void>)()
    })()
    await Promise.race([ending.catch(() => undefined), late])
    await Promise.race([this.#client.close().catch(() => undefined), late])
    clearTimeout(timer)
  }
}

/** The server's name in errors. Tenants see it, so it hides the address. */
export function mcpServerName(id: string): string {
  return `The MCP server of "${id}"`
}

/**
 * Runs the work with its own abort signal, and rejects early when one of the signals aborts. Its own signal stops
 * following them when the work ends. Otherwise the SDK, which waits without bound for the answer to a notification
 * and never stops listening, would abort requests long answered.
 */
async function followed<Result>(
  work: (own: AbortSignal) => Promise<Result>,
  signals: readonly AbortSignal[],
): Promise<Result> {
  for (const signal of signals) signal.throwIfAborted()
  const own = new AbortController()
  const over = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  for (const signal of signals) {
    const leave = (): void => {
      reject(signal.reason)
      own.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true, signal: over.signal })
  }
  try {
    return await Promise.race([work(own.signal), promise])
  } finally {
    over.abort()
  }
}

async function toTransport(
  { server, folder }: McpServerPlace,
  name: string,
  onTooLong: (error: Error) => void,
): Promise<{ transport: Transport; lastWords(): string }> {
  if ('address' in server) {
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    )
    const pairs = Object.entries(server.header_variables).map(([header, variable]) => [
      header,
      read(variable, name),
    ])
    const transport = new StreamableHTTPClientTransport(new URL(server.address), {
      requestInit: { headers: Object.fromEntries(pairs), redirect: 'error' },
      fetch: async (url, request) => {
        // The stream for unsolicited server messages never ends, and none of them are needed.
        const isOwnStream = request?.method === 'GET' && !new Headers(request.headers).has('last-event-id')
        if (isOwnStream) return new Response(null, { status: 405 })
        return boundResponse(await registeredFetch(url, request), { onTooLong })
      },
    })
    return { transport: transport as Transport, lastWords: () => '' }
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const secrets = server.variables.map((variable) => [variable, read(variable, name)] as const)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [guard, ...server.command],
    env: Object.fromEntries(secrets),
    cwd: folder,
    stderr: 'pipe',
    maxBufferSize: longestOutsideAnswer,
  })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    said = clipStart(`${said}${chunk}`, 2000)
  })
  const lastWords = () => {
    const line = said.trim().split('\n').at(-1) ?? ''
    // Redact before truncation: a partial secret would not be recognised.
    const shown = secrets.reduce((text, [variable, value]) => text.replaceAll(value, `[${variable}]`), line)
    return clipText(shown, 300)
  }
  return { transport, lastWords }
}

function read(variable: string, name: string): string {
  const value = process.env[variable]?.trim() ?? ''
  if (/^[\t\x20-\x7e]+$/.test(value)) return value
  const state = value === '' ? 'is not set' : 'holds characters that are no ASCII'
  throw new EspalierError(
    'invalid_request',
    `${name} needs the environment variable ${variable}, which ${state}. Set it where the service is started.`,
  )
}

function toError(error: unknown, what: string, { lastWords = '', inSession = false } = {}): Error {
  const code = codeOf(error)
  const reason = error instanceof Error ? causeOf(error) : String(error)
  const more = lastWords === '' ? '' : ` It wrote: ${lastWords}`
  const message = `${what} (${clipText(reason, 300)}).${more}`
  if (code === 401 || code === 403) {
    return new EspalierError(
      'endpoint_failed',
      `${what}: it answered with the status ${code}. Check "header_variables" in environments.json, and what the variables hold.`,
    )
  }
  // Servers also use this status, instead of 404, for a session that they lost in a restart.
  const isUnknownSession = inSession && code === 400 && /session/i.test(reason)
  if (isUnknownSession) return new SessionLostError(message, { cause: error })
  const isRefusal = code !== undefined && code >= 400 && code < 500 && ![404, 408, 429].includes(code)
  const isOther = isProtocolError(error) && code !== codes.closed && code !== codes.late
  if (isRefusal || isOther) return new EspalierError('endpoint_failed', message, { cause: error })
  return new SessionLostError(message, { cause: error })
}

function causeOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'number' ? error.code : undefined
}

function isProtocolError(error: unknown): boolean {
  return error instanceof Error && error.name === 'McpError'
}
