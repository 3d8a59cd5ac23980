import { groupErrors } from '../shared/core/client/group-errors.ts'
import { episodeStatusWord } from '../shared/core/client/status-words.ts'
import type { Report } from '../shared/core/contracts/report.ts'
import { toLine, wrap } from './fit-text.ts'

export function formatErrors(
  { episodes, errors }: Pick<Report, 'episodes' | 'errors'>,
  width: number,
): string[] {
  if (errors.length === 0) return []
  const groups = groupErrors(errors)
  const ways = groups.length === 1 ? 'one way' : `${groups.length} ways`
  const part = errors.length < episodes.errored ? `; of the first ${errors.length}` : ''
  return [
    `${episodes.errored} ${episodeStatusWord('errored')}, in ${ways}${part}:`,
    ...groups.flatMap(({ name, message, count, episodes: named }) => {
      const [first = '', ...rest] = wrap(`${count} × ${name}: ${toLine(message)}`, width - 2)
      const more = count > named.length ? ` and ${count - named.length} more` : ''
      return [first, ...rest.map((line) => `  ${line}`), `  ${named.join(', ')}${more}`]
    }),
  ]
}
