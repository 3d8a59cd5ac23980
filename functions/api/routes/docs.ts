import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ApiApp } from '../api-app.ts'
import { needsNoKey } from '../authentication/needs.ts'
import { buildDocument } from '../openapi/build-document.ts'
import type { Piece } from '../openapi/schema-book.ts'

const unpack = promisify(gunzip)

const files: Record<string, { name: string; type: string; from: 'us' | 'swagger' }> = {
  '/docs': { name: 'page.html', type: 'text/html; charset=utf-8', from: 'us' },
  '/docs/start-docs.js': { name: 'start-docs.js', type: 'text/javascript; charset=utf-8', from: 'us' },
  '/docs/swagger-ui.css': { name: 'swagger-ui.css', type: 'text/css; charset=utf-8', from: 'swagger' },
  '/docs/swagger-ui-bundle.js': {
    name: 'swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    from: 'swagger',
  },
  '/docs/favicon-32x32.png': { name: 'favicon-32x32.png', type: 'image/png', from: 'swagger' },
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Adds `GET /openapi.json` and its page. The document is built on the first request, from the routes added so far.
 */
export function addDocsRoutes(
  app: ApiApp,
  info: { title: string; version: string; description: string },
): void {
  let document: Piece | null = null

  app.get('/openapi.json', needsNoKey, (context) => {
    document ??= buildDocument(
      app.openAPIRegistry.definitions.flatMap((definition) =>
        definition.type === 'route' ? [definition.route] : [],
      ),
      info,
    )
    return context.json(document)
  })
  const open = openFiles()
  for (const [path, file] of Object.entries(files)) {
    app.get(path, needsNoKey, async (context) => {
      const { body, isPacked } = await open(file)
      const mayStayPacked = /\bgzip\b/.test(context.req.header('Accept-Encoding') ?? '')
      const headers = {
        'Content-Type': file.type,
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'public, max-age=3600',
        ...(isPacked && { Vary: 'Accept-Encoding' }),
      }
      if (!isPacked) return context.body(body, 200, headers)
      if (!mayStayPacked) return context.body(new Uint8Array(await unpack(body)), 200, headers)
      return context.body(body, 200, { ...headers, 'Content-Encoding': 'gzip' })
    })
  }
  app.get('/docs/', needsNoKey, (context) => context.redirect('/docs', 301))
  app.get('/', needsNoKey, (context) => context.redirect('/docs', 302))
}

interface OpenedFile {
  body: Uint8Array<ArrayBuffer>
  isPacked: boolean
}

function openFiles(): (file: { name: string; from: 'us' | 'swagger' }) => Promise<OpenedFile> {
  const bundled = join(import.meta.dirname, 'docs')
  if (existsSync(join(bundled, 'page.html.gz'))) {
    return async ({ name }) => ({ body: await read(join(bundled, `${name}.gz`)), isPacked: true })
  }
  const folders = {
    us: join(import.meta.dirname, '../docs'),
    swagger: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
  }
  return async ({ name, from }) => ({ body: await read(join(folders[from], name)), isPacked: false })
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path))
}
