import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, type IdGenerator, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanSink } from './span.ts'
import type { SpanPlace } from './span-ids.ts'

/** Maximum spans waiting to be sent; a search creates thousands in a moment. */
const mostWaiting = 100_000

/**
 * Sends spans over OTLP/HTTP, with the endpoint, headers, time limit and resource of OpenTelemetry's standard
 * variables. Loaded only if tracing is on.
 */
export function openOtlpSink({
  version,
  protocol,
}: {
  version: string
  protocol: 'json' | 'protobuf'
}): SpanSink {
  const ids = new GivenIds()
  const exporter = protocol === 'json' ? new JsonExporter() : new ProtobufExporter()
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'espalier', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: mostWaiting })],
  })
  const tracer = provider.getTracer('espalier', version)
  return {
    send({ traceId, spanId, parentId, name, kind, began, ended, attributes, link, error }) {
      ids.next = { traceId, spanId }
      const parent =
        parentId === null
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, sampled({ traceId, spanId: parentId }))
      const options = {
        kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: began,
        attributes: { ...attributes, ...(error && { 'error.type': error.type }) },
        ...(link && { links: [{ context: sampled(link) }] }),
      }
      const span = tracer.startSpan(name, options, parent)
      if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
      span.end(ended)
    },
    close: () => provider.shutdown(),
  }
}

function sampled(place: SpanPlace) {
  return { ...place, traceFlags: TraceFlags.SAMPLED }
}

class GivenIds implements IdGenerator {
  next: SpanPlace = { traceId: '', spanId: '' }

  generateTraceId(): string {
    return this.next.traceId
  }

  generateSpanId(): string {
    return this.next.spanId
  }
}
