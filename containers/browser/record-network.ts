import type { BrowserContext, Request } from 'playwright-core'
import { isScored, type NetworkEvent } from '../../shared/environments/webarena/verified/network-trace.ts'
import type { VerifiedTask } from '../../shared/environments/webarena/verified/verified-task.ts'

const mostRequests = 5000
const mostCharacters = 8 * 1024 * 1024
const mostCharactersOfAnswer = 1024 * 1024
const longestWait = 10_000

const isSecret = (name: string) => /auth|token|key|secret|^(?:set-)?cookie$/i.test(name)

type Recorded = NetworkEvent & { startedDateTime: string }

export interface NetworkRecord {
  /** The requests that are scored, in the order in which they began, once all have ended. */
  end(): Promise<{ entries: NetworkEvent[]; incomplete: string | null }>
}

/**
 * Records the requests of a context's pages as an HTTP Archive, without files of pages. It keeps the cookies that the
 * task's checks name, and no other cookie or key.
 */
export function recordNetwork(context: BrowserContext, { eval: checks }: VerifiedTask): NetworkRecord {
  const started: Promise<Recorded | null>[] = []
  const expected = checks.flatMap((check) =>
    check.evaluator === 'NetworkEventEvaluator' ? [check.expected] : [],
  )
  const wanted = {
    headers: new Set(
      expected.flatMap(({ headers }) => Object.keys(headers ?? {}).map((name) => name.toLowerCase())),
    ),
    cookies: new Set(expected.flatMap(({ response_cookies: cookies }) => Object.keys(cookies ?? {}))),
    hasContent: expected.some(({ response_content: content }) => content),
  }
  let content = 0
  let incomplete: string | null = null

  context.on('request', (request) => {
    if (!/^https?:/.test(request.url()) || !isScored(bare(request))) return
    if (started.length >= mostRequests) incomplete ??= `it has more than ${mostRequests} requests`
    else started.push(record(request).catch(() => lost(request)))
  })

  function lost(request: Request): null {
    incomplete ??= `${request.method()} ${new URL(request.url()).pathname} was lost`
    return null
  }

  async function record(request: Request): Promise<Recorded | null> {
    const startedDateTime = new Date().toISOString()
    const response = await request.response()
    // A request without an answer, such as one that the page gave up, has no status to compare.
    if (response === null) return null
    const headers = Object.entries(await request.allHeaders())
    const post = request.postData()
    const type = response.headers()['content-type'] ?? ''
    const isRead = wanted.hasContent && type.includes('json')
    const text = isRead ? await response.text() : undefined
    content += (post?.length ?? 0) + (text?.length ?? 0)
    if (content > mostCharacters || (text?.length ?? 0) > mostCharactersOfAnswer)
      incomplete ??= 'its bodies are too long'
    const contentType = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
    return {
      startedDateTime,
      time: 0,
      cache: {},
      timings: { send: -1, wait: -1, receive: -1 },
      request: {
        ...{
          method: request.method(),
          url: request.url(),
          httpVersion: 'HTTP/1.1',
          cookies: [],
          queryString: [],
        },
        headers: headers
          .filter(([name]) => !name.startsWith(':'))
          .filter(([name]) => !isSecret(name) || wanted.headers.has(name.toLowerCase()))
          .map(([name, value]) => ({ name, value })),
        ...(post !== null && { postData: { mimeType: contentType, text: post } }),
        ...{ headersSize: -1, bodySize: -1 },
      },
      response: {
        ...{
          status: response.status(),
          statusText: response.statusText(),
          httpVersion: 'HTTP/1.1',
          headers: [],
        },
        cookies: wanted.cookies.size === 0 ? [] : await setCookies(response, wanted.cookies),
        content: { size: text?.length ?? -1, mimeType: type, ...(text !== undefined && { text }) },
        ...{ redirectURL: response.headers().location ?? '', headersSize: -1, bodySize: -1 },
      },
    }
  }

  return {
    async end() {
      const late = new Promise<'late'>((resolve) => setTimeout(resolve, longestWait, 'late').unref())
      const all = await Promise.race([Promise.all(started), late])
      if (all === 'late') incomplete ??= `requests had no answer within ${longestWait / 1000} seconds`
      const entries = all === 'late' ? [] : all.filter((entry) => entry !== null)
      return { entries, incomplete }
    },
  }
}

function bare(request: Request): NetworkEvent {
  return {
    request: { method: request.method(), url: request.url(), headers: [] },
    response: { status: 0, cookies: [] },
  }
}

async function setCookies(
  response: NonNullable<Awaited<ReturnType<Request['response']>>>,
  names: ReadonlySet<string>,
): Promise<{ name: string; value: string }[]> {
  const lines = (await response.headersArray()).filter(({ name }) => name.toLowerCase() === 'set-cookie')
  return lines
    .flatMap(({ value }) => value.split('\n'))
    .map((line) => /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [])
    .flatMap(([, name = '', value = '']) => (names.has(name.trim()) ? [{ name: name.trim(), value }] : []))
}
