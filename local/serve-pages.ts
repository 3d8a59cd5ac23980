import { type Stats, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import {
  cacheControl,
  contentSecurityPolicy,
  embedAncestors,
  embedPath,
  pageHeaders,
  pageType,
} from '../shared/core/contracts/page-headers.ts'

export type ServePages = (request: Request) => Promise<Response> | null

const servicePaths = /^\/(?:v1|docs|health|openapi\.json)(?:\/|$)/
/** File names without a leading dot: no path leads out of the folder or to hidden files. */
const fileName = /^\/(?:assets\/)?[\w-][\w.-]*$/

/**
 * Serves the built dashboard: its files by name, and its page under every browser address outside the API. Files
 * compressed by the build are sent compressed.
 * @param folder - the output of `npm run build:web`; while it is missing, the page says so
 */
export function servePages(folder: string): ServePages {
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const { pathname } = new URL(request.url)
    if (servicePaths.test(pathname)) return null
    const isFile = pageType(extname(pathname)) !== undefined && fileName.test(pathname)
    if (isFile) return sendOr(request, folder, pathname, () => missingFile(pathname))
    if (!request.headers.get('Accept')?.includes('text/html')) return null
    return sendOr(request, folder, '/index.html', notBuilt)
  }
}

async function sendOr(
  request: Request,
  folder: string,
  path: string,
  otherwise: () => Response,
): Promise<Response> {
  const file = open(join(folder, path), request.headers.get('Accept-Encoding') ?? '')
  if (file === null) return otherwise()
  const headers: Record<string, string> = {
    ...pageHeaders,
    ...(new URL(request.url).pathname.startsWith(embedPath) && framed),
    'Content-Type': pageType(extname(path)) ?? 'application/octet-stream',
    'Cache-Control': path.startsWith('/assets/') ? cacheControl.digested : cacheControl.changing,
    ETag: `"${file.info.mtimeMs.toString(36)}-${file.info.size.toString(36)}"`,
    // The service has other answers under a page's address for clients that do not accept HTML.
    Vary: path === '/index.html' ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    ...(file.encoding !== null && { 'Content-Encoding': file.encoding }),
  }
  if (request.headers.get('If-None-Match') === headers.ETag)
    return new Response(null, { status: 304, headers })
  headers['Content-Length'] = String(file.info.size)
  const body = request.method === 'HEAD' ? null : new Uint8Array(await readFile(file.path))
  return new Response(body, { headers })
}

interface OpenedFile {
  path: string
  encoding: 'br' | 'gzip' | null
  info: Stats
}

function open(path: string, accepted: string): OpenedFile | null {
  const forms = [
    { encoding: 'br', suffix: '.br' },
    { encoding: 'gzip', suffix: '.gz' },
  ] as const
  for (const { encoding, suffix } of forms) {
    if (!new RegExp(`\\b${encoding}\\b(?!;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted)) continue
    const info = statSync(path + suffix, { throwIfNoEntry: false })
    if (info?.isFile()) return { path: path + suffix, encoding, info }
  }
  const info = statSync(path, { throwIfNoEntry: false })
  return info?.isFile() ? { path, encoding: null, info } : null
}

function missingFile(path: string): Response {
  const text = `There is no file ${path}. It may be of an earlier version of the dashboard: load the page again.\n`
  return new Response(text, { status: 404, headers: plain })
}

function notBuilt(): Response {
  const text =
    'The dashboard is not built. In the repository: npm run build:web (npm start does it by itself).\nThe HTTP API works without it, and is described at /docs.\n'
  return new Response(text, { status: 503, headers: plain })
}

const framed = { 'Content-Security-Policy': contentSecurityPolicy(undefined, embedAncestors) }
const plain = { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
