import type { GivenLabels } from '../shared/contracts/labels.ts'
import { wrap } from './fit-text.ts'

/** The labels of a run, a dataset or an import, a line each; none where there are none. */
export function formatLabels(
  { archived_at, experiment, note, tags = [] }: GivenLabels,
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
