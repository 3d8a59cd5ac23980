import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** A span as a collector gets it. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  links?: { traceId: string; spanId: string }[]
  status: { code?: number; message?: string }
}

export interface Collector {
  address: string
  spans: ReceivedSpan[]
  /** Attributes of the last resource. */
  resource: Record<string, unknown>
  /** Path, content type and body of each request. */
  requests: { path: string; type: string; body: Buffer }[]
}

interface OtlpValue {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: { values?: OtlpValue[] }
}
interface OtlpAttribute {
  key: string
  value: OtlpValue
}
interface OtlpBody {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] }
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: OtlpAttribute[] })[] }[]
  }[]
}

/** A collector that takes traces over OTLP/HTTP, decodes those in JSON, and keeps the bodies of all. */
export async function startCollector(): Promise<Collector> {
  const collector: Collector = { address: '', spans: [], resource: {}, requests: [] }
  const server = createServer(async (request, response) => {
    const sent = await buffer(request)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    const type = request.headers['content-type'] ?? ''
    collector.requests.push({ path: request.url ?? '', type, body })
    if (type.includes('json')) read(JSON.parse(body.toString()) as OtlpBody, collector)
    response.writeHead(200, { 'Content-Type': type }).end(type.includes('json') ? '{}' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  collector.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return collector
}

function read({ resourceSpans }: OtlpBody, collector: Collector): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    collector.resource = toRecord(resource.attributes)
    for (const { spans } of scopeSpans)
      for (const span of spans) collector.spans.push({ ...span, attributes: toRecord(span.attributes) })
  }
}

function toRecord(attributes: OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value)]))
}

function toValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: OtlpValue): unknown {
  if (intValue !== undefined) return Number(intValue)
  return stringValue ?? doubleValue ?? boolValue ?? arrayValue?.values?.map(toValue)
}
