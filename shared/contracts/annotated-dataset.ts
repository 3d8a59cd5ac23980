import type { Run } from './run.ts'

/** The dataset for which a run asks a model about episodes; null for a run that plays tasks. */
export function annotatedDataset({ request }: Pick<Run, 'request'>): string | null {
  // No method of play has a parameter of this name.
  const { dataset } = request.method
  return typeof dataset === 'string' ? dataset : null
}
