import type { Run } from './run.ts'

export function annotatedDataset({ request }: Pick<Run, 'request'>): string | null {
  const { dataset } = request.method
  return typeof dataset === 'string' ? dataset : null
}

export function judgedScore({ request }: Pick<Run, 'request'>): { run: string; name: string } | null {
  const { scored_run: run, score: name } = request.method
  return typeof run === 'string' && typeof name === 'string' ? { run, name } : null
}

export function asksAModel(run: Pick<Run, 'request'>): boolean {
  return annotatedDataset(run) !== null || judgedScore(run) !== null
}
