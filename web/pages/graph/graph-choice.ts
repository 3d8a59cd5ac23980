import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { withEntry } from '../../format/with-entry.ts'
import type { MergedPaths } from '../../tree/merge-trees.ts'

export interface GraphChoice {
  runs: string[]
  task: string
  paths: MergedPaths
}

const mostRuns = 8

// Bounds of one graph: the trees that a page reads, and their nodes together.
export const mostTrees = 48
export const mostNodes = 20_000

export function readGraphChoice(address: URLSearchParams): GraphChoice {
  return {
    runs: [...new Set((address.get('runs') ?? '').split(',').filter(Boolean))].slice(0, mostRuns),
    task: address.get('task') ?? '',
    paths: address.get('paths') === 'all' ? 'all' : 'answers',
  }
}

export function withPaths(address: URLSearchParams, paths: MergedPaths): URLSearchParams {
  // The other paths have other states.
  return withEntry(withEntry(address, 'node', ''), 'paths', paths === 'all' ? 'all' : '')
}

// Ended episodes of the task with a tree, drawn from the runs in turn until a bound is reached; always two if there are.
export function chooseEpisodes(
  byRun: readonly (readonly Episode[])[],
  task: string,
): { chosen: Episode[]; all: number } {
  const ended = byRun.map((episodes) =>
    episodes.filter(
      ({ purpose, result, task: own }) =>
        own === task && purpose === 'play' && result !== null && result.nodes > 0,
    ),
  )
  const longest = Math.max(0, ...ended.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, at) => ended.flatMap((own) => own[at] ?? [])).flat()
  const chosen: Episode[] = []
  let nodes = 0
  for (const episode of inTurn) {
    nodes += episode.result?.nodes ?? 0
    if (chosen.length >= mostTrees || (chosen.length >= 2 && nodes > mostNodes)) break
    chosen.push(episode)
  }
  return { chosen, all: inTurn.length }
}

// The outcome of an episode for shares; null: an error, a cancellation, or a limit that gives no reward.
export function outcomeOf({ result }: Pick<Episode, 'result'>): boolean | null {
  if (result === null || result.status === 'errored' || result.status === 'cancelled') return null
  return result.success
}
