import { createHash } from 'node:crypto'

/** The identity of a span: its trace, and its own id in it, as the hexadecimal digits of W3C Trace Context. */
export interface SpanPlace {
  traceId: string
  spanId: string
}

/**
 * Derives ids from a span's subject, so that spans of one episode sent by several processes meet in one trace, and a
 * resent span keeps its id.
 * @param trace the trace's subject, for example a run and an episode
 * @param span the span's subject within it
 */
export function spanPlace(
  trace: readonly (string | number)[],
  span: readonly (string | number)[],
): SpanPlace {
  return { traceId: digest(trace).slice(0, 32), spanId: digest([...trace, ...span]).slice(0, 16) }
}

function digest(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

export function runPlace(run: string, generation: number): SpanPlace {
  return spanPlace(['run', run], ['generation', generation])
}

export function episodePlace(episode: { run: string; index: number; generation: number }): SpanPlace {
  const { run, index, generation } = episode
  return spanPlace(['episode', run, index], ['generation', generation])
}
