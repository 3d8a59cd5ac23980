/**
 * The run that asks a model about episodes for a dataset, a question or a scoring. The ids end alike, so that each has at most
 * one, however often it is started.
 */
export function annotationRunOf(asking: string): string {
  return asking.replace(/^(?:dataset|question|scoring)-/, 'run-')
}
