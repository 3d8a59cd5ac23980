import { createHash } from 'node:crypto'

/** Where a span stands: its trace, and its own id in it, as the hexadecimal digits of W3C Trace Context. */
export interface SpanPlace {
  traceId: string
  spanId: string
}

/**
 * Ids follow from what a span is about, so that spans of one episode that several processes send meet in one trace, and one that is
 * sent again has the id that it had before.
 *
 * @param trace what the trace is about, such as a run and an episode
 * @param span what the span is about within it
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

/** The span of a run, in a trace of its own. */
export function runPlace(run: string, generation: number): SpanPlace {
  return spanPlace(['run', run], ['generation', generation])
}

/** The span of an episode, the root of its trace. */
export function episodePlace(episode: { run: string; index: number; generation: number }): SpanPlace {
  const { run, index, generation } = episode
  return spanPlace(['episode', run, index], ['generation', generation])
}
