import { EspalierError } from '../../core/contracts/errors.ts'
import type { EpisodeObserver } from '../../core/engine/episode-observer.ts'
import { traceEpisodes } from './trace-episodes.ts'

export interface Tracing {
  observer: EpisodeObserver
  close(): Promise<void>
}

const protocols: Record<string, 'json' | 'protobuf'> = { 'http/protobuf': 'protobuf', 'http/json': 'json' }

/**
 * Opens tracing if OpenTelemetry's standard variables request it: an endpoint is named, and neither
 * `OTEL_SDK_DISABLED` nor `OTEL_TRACES_EXPORTER=none` forbids it. Otherwise no package of OpenTelemetry is loaded.
 * @throws EspalierError `invalid_request` for an unsupported protocol
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
