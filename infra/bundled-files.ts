import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const installed = createRequire(import.meta.url)

/** The pages of `/docs`, packed here, since the larger of them would be too slow to pack at each request. */
export async function packDocs(out: string): Promise<void> {
  const swagger = dirname(installed.resolve('swagger-ui-dist/package.json'))
  const own = join(import.meta.dirname, '../functions/api/docs')
  const sources = [
    ...['page.html', 'start-docs.js'].map((name) => join(own, name)),
    ...['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => join(swagger, name)),
  ]
  await mkdir(join(out, 'docs'), { recursive: true })
  for (const source of sources) {
    const packed = gzipSync(await readFile(source), { level: 9 })
    await writeFile(join(out, 'docs', `${basename(source)}.gz`), packed)
  }
}

/** The dashboard as it was built, without the packed forms that the local service sends: CloudFront packs by itself. */
export async function copyPages(pages: string, out: string): Promise<void> {
  const isPage = (path: string) => !/\.(?:br|gz)$/.test(path) && !basename(path).startsWith('.')
  await cp(pages, join(out, 'pages'), { recursive: true, filter: isPage })
}
