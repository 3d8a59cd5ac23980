import { EspalierError } from '../contracts/errors.ts'
import type { EpisodeObserver } from '../engine/episode-observer.ts'
import { traceEpisodes } from './trace-episodes.ts'

/** Traces that are on: who observes, and how what waits is sent at the end. */
export interface Tracing {
  observer: EpisodeObserver
  close(): Promise<void>
}

const protocols: Record<string, 'json' | 'protobuf'> = { 'http/protobuf': 'protobuf', 'http/json': 'json' }

/**
 * Opens traces where OpenTelemetry's standard variables ask for them: an endpoint is named, and neither `OTEL_SDK_DISABLED` nor
 * `OTEL_TRACES_EXPORTER=none` forbids it. Else no package of OpenTelemetry is loaded, and nothing is observed.
 *
 * @throws EspalierError `invalid_request` for a protocol that is not spoken
 */
export async function openTracing(
  variables: NodeJS.ProcessEnv,
  version: string,
  now: () => number,
): Promise<Tracing | null> {
  const endpoint = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  const isDisabled = variables.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true'
  if (endpoint === '' || isDisabled || variables.OTEL_TRACES_EXPORTER === 'none') return null
  const named =
    variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? variables.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf'
  const protocol = protocols[named]
  if (protocol === undefined) {
    throw new EspalierError(
      'invalid_request',
      `Traces are sent as ${Object.keys(protocols).join(' or ')}, not as "${named}". Change OTEL_EXPORTER_OTLP_PROTOCOL, or leave it out.`,
      { param: 'OTEL_EXPORTER_OTLP_PROTOCOL' },
    )
  }
  const { openOtlpSink } = await import('./otlp-sink.ts')
  const sink = openOtlpSink({ version, protocol })
  return { observer: traceEpisodes(sink, now), close: () => sink.close() }
}
