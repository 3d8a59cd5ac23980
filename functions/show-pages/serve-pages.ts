import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import {
  embedPath,
  type PagePlace,
  pageCaching,
  pageHeaders,
  pageType,
} from '../../shared/core/contracts/page-headers.ts'

export type ServePages = (request: Request) => Promise<Response> | null

const servicePaths = /^\/(?:v1|docs|health|openapi\.json)(?:\/|$)/
/** File names without a leading dot: no path leads out of the folder or to hidden files. */
const fileName = /^\/(?:assets\/)?[\w-][\w.-]*$/

/**
 * Serves the built dashboard: its files by name, and its page under every browser address outside the API. Files
 * compressed by the build are sent compressed.
 * @param folder - the output of `npm run build:web`; while it is missing, the page says so
 */
export function servePages(folder: string, place: PagePlace = {}): ServePages {
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const { pathname } = new URL(request.url)
    if (servicePaths.test(pathname)) return null
    const isFile = pageType(extname(pathname)) !== undefined && fileName.test(pathname)
    const plain = {
      ...pageHeaders(place),
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
    }
    const refuse = (text: string, status: number) => new Response(text, { status, headers: plain })
    if (isFile) return sendOr(request, folder, place, pathname, () => refuse(missingFile(pathname), 404))
    if (!request.headers.get('Accept')?.includes('text/html')) return null
    return sendOr(request, folder, place, '/index.html', () => refuse(notBuilt, 503))
  }
}

async function sendOr(
  request: Request,
  folder: string,
  place: PagePlace,
  path: string,
  otherwise: () => Response,
): Promise<Response> {
  const file = await open(join(folder, path), request.headers.get('Accept-Encoding') ?? '')
  if (file === null) return otherwise()
  const headers: Record<string, string> = {
    ...pageHeaders(place, new URL(request.url).pathname.startsWith(embedPath)),
    'Content-Type': pageType(extname(path)) ?? 'application/octet-stream',
    'Cache-Control': pageCaching(path),
    // By contents: files of a function all have the same time, and pages of two builds often the same size.
    ETag: `"${createHash('sha256').update(file.body).digest('base64url').slice(0, 22)}"`,
    // The service has other answers under a page's address for clients that do not accept HTML.
    Vary: path === '/index.html' ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    ...(file.encoding !== null && { 'Content-Encoding': file.encoding }),
  }
  if (request.headers.get('If-None-Match') === headers.ETag)
    return new Response(null, { status: 304, headers })
  headers['Content-Length'] = String(file.body.byteLength)
  return new Response(request.method === 'HEAD' ? null : file.body, { headers })
}

interface OpenedFile {
  encoding: 'br' | 'gzip' | null
  body: Uint8Array<ArrayBuffer>
}

async function open(path: string, accepted: string): Promise<OpenedFile | null> {
  const forms = [
    { encoding: 'br', suffix: '.br' },
    { encoding: 'gzip', suffix: '.gz' },
  ] as const
  for (const { encoding, suffix } of forms) {
    if (!new RegExp(`\\b${encoding}\\b(?!;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted)) continue
    if (existsSync(path + suffix)) return { encoding, body: new Uint8Array(await readFile(path + suffix)) }
  }
  return existsSync(path) ? { encoding: null, body: new Uint8Array(await readFile(path)) } : null
}

function missingFile(path: string): string {
  return `There is no file ${path}. It may be of an earlier version of the dashboard: load the page again.\n`
}

const notBuilt =
  'The dashboard is not built. In the repository: npm run build:web (npm start does it by itself).\nThe HTTP API works without it, and is described at /docs.\n'
