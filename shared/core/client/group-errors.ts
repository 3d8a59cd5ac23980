import type { Report } from '../contracts/report.ts'

type EpisodeFault = Report['errors'][number]

export interface ErrorGroup {
  name: string
  message: string
  count: number
  episodes: string[]
}

const mostExamples = 3

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

function withoutIds(message: string): string {
  return message.replaceAll(/[\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_.,-]*/gu, '#')
}
