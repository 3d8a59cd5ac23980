import type { Curves } from '../../../shared/contracts/curve.ts'

/** What curves were read from: the journals of all shared tasks, or of a sample of them. */
export function readNote({ curves, shared_tasks }: Pick<Curves, 'curves' | 'shared_tasks'>): string {
  const read = curves.reduce((sum, { episodes }) => sum + episodes.read, 0)
  const tasks = curves[0]?.tasks ?? 0
  const journals = `Read from the journals of ${read} episodes`
  const places = shared_tasks === 1 ? 'the one shared task' : `all ${shared_tasks} shared tasks`
  if (tasks === shared_tasks) return `${journals}, on ${places}.`
  return `${journals}, on ${tasks} of the ${shared_tasks} shared tasks: a seeded sample, as there are too many to read.`
}
