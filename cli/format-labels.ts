import type { EntryLabels } from '../shared/core/contracts/labels.ts'
import { wrap } from './fit-text.ts'

export function formatLabels(
  { archived_at, experiment, note, tags = [] }: EntryLabels,
  width: number,
): string[] {
  const lines = wrap(note ?? '', width - 13)
  return [
    ...(experiment === undefined ? [] : [`experiment   ${experiment}`]),
    ...(tags.length === 0 ? [] : [`tags         ${tags.join(', ')}`]),
    ...(note === undefined ? [] : lines.map((line, at) => (at === 0 ? 'note' : '').padEnd(13) + line)),
    ...(archived_at === undefined ? [] : [`archived     since ${archived_at}`]),
  ]
}
