import type { Run } from './run.ts'

/** The dataset for which a run asks a model about episodes; null for a run that plays tasks. */
export function annotatedDataset({ request }: Pick<Run, 'request'>): string | null {
  const { dataset } = request.method
  return typeof dataset === 'string' ? dataset : null
}

/** The score for which a run asks a judge about another run's episodes; null for any other run. */
export function judgedScore({ request }: Pick<Run, 'request'>): { run: string; name: string } | null {
  const { scored_run: run, score: name } = request.method
  return typeof run === 'string' && typeof name === 'string' ? { run, name } : null
}

export function asksAModel(run: Pick<Run, 'request'>): boolean {
  return annotatedDataset(run) !== null || judgedScore(run) !== null
}
