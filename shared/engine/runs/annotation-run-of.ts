/**
 * The run that asks a model about a dataset's episodes: both ids end alike, so that a dataset has one at most, however often it
 * is started.
 */
export function annotationRunOf(dataset: string): string {
  return dataset.replace(/^dataset-/, 'run-')
}
