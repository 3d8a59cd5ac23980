import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ApiApp } from '../api-app.ts'
import { buildDocument } from '../openapi/build-document.ts'
import type { Piece } from '../openapi/schema-book.ts'

const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const ownFolder = join(import.meta.dirname, '../docs')

/** The files of the page, which loads nothing from anywhere else. */
const files: Record<string, { file: string; type: string }> = {
  '/docs': { file: join(ownFolder, 'page.html'), type: 'text/html; charset=utf-8' },
  '/docs/start-docs.js': { file: join(ownFolder, 'start-docs.js'), type: 'text/javascript; charset=utf-8' },
  '/docs/swagger-ui.css': { file: join(swaggerFolder, 'swagger-ui.css'), type: 'text/css; charset=utf-8' },
  '/docs/swagger-ui-bundle.js': {
    file: join(swaggerFolder, 'swagger-ui-bundle.js'),
    type: 'text/javascript; charset=utf-8',
  },
  '/docs/favicon-32x32.png': { file: join(swaggerFolder, 'favicon-32x32.png'), type: 'image/png' },
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

/** `GET /openapi.json`, built from the routes that were added so far when it is first asked for, and the page over it. */
export function addDocsRoutes(
  app: ApiApp,
  info: { title: string; version: string; description: string },
): void {
  let document: Piece | null = null

  app.get('/openapi.json', (context) => {
    document ??= buildDocument(
      app.openAPIRegistry.definitions.flatMap((definition) =>
        definition.type === 'route' ? [definition.route] : [],
      ),
      info,
    )
    return context.json(document)
  })
  for (const [path, { file, type }] of Object.entries(files)) {
    app.get(path, async (context) => {
      const headers = {
        'Content-Type': type,
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'public, max-age=3600',
      }
      return context.body(await readFile(file), 200, headers)
    })
  }
  app.get('/docs/', (context) => context.redirect('/docs', 301))
  app.get('/', (context) => context.redirect('/docs', 302))
}
