import type { ApiClient } from '../shared/client/api-client.ts'
import type { Episode } from '../shared/contracts/episode.ts'
import type { Run } from '../shared/contracts/run.ts'
import { toLine, wrap } from './fit-text.ts'

/** Episodes that ended by what is one error, but for numbers, names in quotes and ids. */
export interface ErrorGroup {
  name: string
  /** Of the first of them. */
  message: string
  episodes: string[]
}

/** Errored episodes that are looked at: more say hardly anything else. */
const mostLooked = 1000
const mostNamed = 3

/** Puts errored episodes together that failed in the same way, the most frequent first. */
export function groupErrors(episodes: readonly Episode[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>()
  for (const { id, result } of episodes) {
    if (result?.error == null) continue
    const { name, code, message } = result.error
    const key = JSON.stringify([name, code, withoutDetails(message)])
    const group = groups.get(key) ?? { name: code ?? name, message, episodes: [] }
    group.episodes.push(id)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((one, other) => other.episodes.length - one.episodes.length)
}

function withoutDetails(message: string): string {
  return message.replace(/"[^"]*"|“[^”]*”|'[^']*'/g, '""').replace(/\b[\w-]*\d[\w.-]*\b/g, '0')
}

/** Errors with how many episodes each ended, and the first of those by name. */
export function formatErrors(groups: readonly ErrorGroup[], width: number): string[] {
  return groups.flatMap(({ name, message, episodes }) => {
    const named = episodes.slice(0, mostNamed).join(', ')
    const more = episodes.length > mostNamed ? ` and ${episodes.length - mostNamed} more` : ''
    const [first = '', ...rest] = wrap(`${episodes.length} × ${name}: ${toLine(message)}`, width)
    return [first, ...rest.map((line) => `  ${line}`), `  ${named}${more}`]
  })
}

/** Why episodes of a run errored, as lines; none where none did. */
export async function errorLines(
  client: Pick<ApiClient, 'episodes'>,
  { id, episodes }: Pick<Run, 'id' | 'episodes'>,
  width: number,
): Promise<string[]> {
  if (episodes.errored === 0) return []
  const errored: Episode[] = []
  for (let after: string | undefined; errored.length < mostLooked; ) {
    const { data, has_more, last_id } = await client.episodes(id, { status: 'errored', limit: 100, after })
    errored.push(...data)
    if (!has_more || last_id === null) break
    after = last_id
  }
  const groups = groupErrors(errored)
  const unseen = episodes.errored - errored.length
  return [
    `${episodes.errored} errored, in ${groups.length === 1 ? 'one way' : `${groups.length} ways`}${unseen > 0 ? `, of the first ${errored.length}` : ''}:`,
    ...formatErrors(groups, width),
  ]
}
