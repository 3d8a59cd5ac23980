import type { ApiApp } from '../functions/api/api-app.ts'
import { needsNoKey } from '../functions/api/authentication/needs.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { contentDisposition } from '../shared/core/world/content-disposition.ts'
import type { FileGrant } from '../shared/core/world/local/signed-address.ts'
import type { ObjectInfo, Objects } from '../shared/core/world/ports.ts'

const chunkBytes = 1024 * 1024
/**
 * Bytes. A whole body up to this size is verified before it is sent, so that damage is an error and not a broken
 * download.
 */
const comparedFirst = 64 * 1024 * 1024

export interface FileRouteNeeds {
  objects: Pick<Objects, 'get' | 'head'>
  verify(address: string): FileGrant
}

export function addFileRoute(app: ApiApp, needs: FileRouteNeeds): void {
  const { objects, verify } = needs

  app.get('/v1/files/*', needsNoKey, async (context) => {
    const file = verify(context.req.url)
    const info = await objects.head(file.key)
    if (info === null) {
      throw new EspalierError('not_found', 'The file is gone. Ask for a new address where you got this one.')
    }
    const etag = info.etag.startsWith('"') ? info.etag : `"${info.etag}"`
    const headers: Record<string, string> = {
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, no-store',
      'Content-Disposition': contentDisposition(file),
      // A browser must never show a run's output as one of our pages.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      ETag: etag,
    }
    const condition = context.req.header('if-range')
    const wanted = condition === undefined || condition === etag ? context.req.header('range') : undefined
    const range = readRange(wanted, info.size)
    if (range === 'unsatisfiable') {
      const error = new EspalierError(
        'invalid_request',
        `The file has ${info.size} bytes; the range lies outside.`,
      )
      return context.json(error.toBody(), 416, { 'Content-Range': `bytes */${info.size}` })
    }
    const { start, end } = range ?? { start: 0, end: info.size - 1 }
    headers['Content-Length'] = String(end - start + 1)
    if (range !== null) headers['Content-Range'] = `bytes ${start}-${end}/${info.size}`
    const opened = await openBody(objects, info, { start, end })
    headers['Content-Type'] = opened.type ?? typeOf(file.key)
    const status = range === null ? 200 : 206
    const empty = context.req.method === 'HEAD' || info.size === 0
    return empty ? context.body(null, status, headers) : context.body(opened.body, status, headers)
  })
}

async function openBody(
  objects: Pick<Objects, 'get'>,
  info: ObjectInfo,
  range: ByteRange,
): Promise<{ type: string | null; body: ReadableStream<Uint8Array> }> {
  async function read(start: number) {
    const piece = await objects.get(info.key, { start, end: Math.min(range.end, start + chunkBytes - 1) })
    if (piece === null || piece.etag !== info.etag)
      throw new Error(`${info.key} changed while it was being sent.`)
    return piece
  }

  if (info.size === 0)
    return { type: (await objects.get(info.key))?.content_type ?? null, body: new ReadableStream() }
  const first = await read(range.start)
  if (range.end - range.start < comparedFirst) {
    for (let at = range.start + chunkBytes; at <= range.end; at += chunkBytes) await read(at)
  }
  let position = range.start
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = position === range.start ? first : await read(position)
      controller.enqueue(piece.body)
      position += piece.body.byteLength
      if (position > range.end) controller.close()
    },
  })
  return { type: first.content_type, body }
}

const types: Record<string, string> = {
  json: 'application/json',
  jsonl: 'application/jsonl',
  md: 'text/markdown; charset=utf-8',
  gz: 'application/gzip',
}

function typeOf(key: string): string {
  return types[key.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
}

export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads a `Range` header for a body of `size` bytes.
 * @returns `unsatisfiable` if the range lies outside the body (416); null to send the whole body, also for several
 * ranges and for invalid headers, both of which HTTP allows a server to ignore.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  const [, from = '', to = ''] = match ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}
