import { formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Curves } from '../../../shared/core/contracts/curve.ts'

export function formatAmount(value: number): string {
  if (Math.abs(value) < 100) return String(Number(value.toPrecision(3)))
  const text = formatCount(Math.abs(value)).replace('.0 ', ' ')
  return value < 0 ? `-${text}` : text
}

/** Formats a p-value with three decimals. A small one is never shown as 0. */
export function formatPValue(value: number | null): string {
  if (value === null) return noNumber
  return value < 0.001 ? '<0.001' : value.toFixed(3)
}

export function readNote({ curves, shared_tasks }: Pick<Curves, 'curves' | 'shared_tasks'>): string {
  const read = curves.reduce((sum, { episodes }) => sum + episodes.read, 0)
  const tasks = curves[0]?.tasks ?? 0
  const journals = `Read from the journals of ${read} episodes`
  const places = shared_tasks === 1 ? 'the one shared task' : `all ${shared_tasks} shared tasks`
  if (tasks === shared_tasks) return `${journals}, on ${places}.`
  return `${journals}, on ${tasks} of the ${shared_tasks} shared tasks: a seeded sample, as there are too many to read.`
}
