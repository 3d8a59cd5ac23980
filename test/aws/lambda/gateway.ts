import type { LambdaPool } from './lambda-pool.ts'

export interface GatewayAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * An HTTP API in front of the functions: asks the authorizer, then invokes the api function with payload 2.0 of the event.
 * As the gateway does, it answers 401 without the header, 403 if the authorizer refuses, and 500 if a function fails or dies.
 */
export function openGateway(pool: LambdaPool) {
  const call = askFunctions(pool)
  return async (...request: Parameters<typeof call>): Promise<GatewayAnswer> => {
    try {
      return await call(...request)
    } catch (error) {
      return { status: 500, headers: {}, body: JSON.stringify({ message: String(error) }) }
    }
  }
}

function askFunctions(pool: LambdaPool) {
  return async function call(
    method: string,
    path: string,
    options: { key?: string; body?: unknown; lines?: string; headers?: Record<string, string> } = {},
  ): Promise<GatewayAnswer> {
    const url = new URL(path, 'https://gateway.invalid')
    const headers: Record<string, string> = {
      host: url.host,
      accept: 'application/json',
      ...options.headers,
    }
    if (options.key !== undefined) headers.authorization = `Bearer ${options.key}`
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    if (options.lines !== undefined) headers['content-type'] = 'application/x-ndjson'
    const authorizer = isPublic(path) ? undefined : await authorize(pool, method, url, headers)
    if (authorizer === 'missing') return { status: 401, headers: {}, body: '{"message":"Unauthorized"}' }
    if (authorizer === 'refused') return { status: 403, headers: {}, body: '{"message":"Forbidden"}' }
    const event = {
      ...eventOf(method, url, headers),
      ...bodyOf(options),
    }
    Object.assign(event.requestContext, authorizer && { authorizer: { lambda: authorizer } })
    const answer = (await pool.invoke('api', event)) as {
      statusCode: number
      headers?: Record<string, string>
      body?: string
      isBase64Encoded?: boolean
    }
    const body = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8').toString('utf8')
    return { status: answer.statusCode, headers: answer.headers ?? {}, body }
  }
}

/** JSON comes as text; of other types the gateway cannot know that they are text. */
function bodyOf({ body, lines }: { body?: unknown; lines?: string }) {
  return lines === undefined
    ? { body: body === undefined ? undefined : JSON.stringify(body), isBase64Encoded: false }
    : { body: Buffer.from(lines).toString('base64'), isBase64Encoded: true }
}

function isPublic(path: string): boolean {
  return path === '/' || path === '/health' || path === '/openapi.json' || path.startsWith('/docs')
}

async function authorize(
  pool: LambdaPool,
  method: string,
  url: URL,
  headers: Record<string, string>,
): Promise<Record<string, string> | 'missing' | 'refused'> {
  if (headers.authorization === undefined) return 'missing'
  const event = { ...eventOf(method, url, headers), type: 'REQUEST', identitySource: [headers.authorization] }
  const answer = (await pool.invoke('authorizer', event)) as {
    isAuthorized: boolean
    context?: Record<string, string>
  }
  return answer.isAuthorized ? (answer.context ?? {}) : 'refused'
}

function eventOf(method: string, url: URL, headers: Record<string, string>) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers,
    requestContext: {
      accountId: '123456789012',
      apiId: 'gateway',
      domainName: url.host,
      domainPrefix: 'gateway',
      requestId: 'request',
      routeKey: '$default',
      stage: '$default',
      time: '21/Nov/2026:09:00:00 +0000',
      timeEpoch: 1_795_000_000_000,
      http: { method, path: url.pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
    },
  }
}
