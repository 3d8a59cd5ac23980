import type { Report } from '../contracts/report.ts'

type EpisodeFault = Report['errors'][number]

/** Errors that say the same of different episodes. */
export interface ErrorGroup {
  name: string
  /** What the first of them says. */
  message: string
  count: number
  /** The first few episodes that ended so. */
  episodes: string[]
}

const mostExamples = 3

/** Errors by what they say, the most frequent first. Numbers and ids in them are ignored. */
export function groupErrors(errors: readonly EpisodeFault[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>()
  for (const { episode, name, message } of errors) {
    const key = `${name}: ${withoutIds(message)}`
    const group = groups.get(key) ?? { name, message, count: 0, episodes: [] }
    group.count += 1
    if (group.episodes.length < mostExamples) group.episodes.push(episode)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((left, right) => right.count - left.count)
}

/** Words with a digit in them, such as `ep-0000012`, `host-3` or `1,024`. */
function withoutIds(message: string): string {
  return message.replaceAll(/[\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_.,-]*/gu, '#')
}
