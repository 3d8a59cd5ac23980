import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { endWords } from '../../shared/core/client/end-words.ts'
import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../shared/core/client/status-words.ts'
import { endReason } from '../../shared/core/contracts/end-reason.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { formatErrors } from '../format-errors.ts'
import { stepLines } from './step-lines.ts'

const pageOfEpisodes = 200
// A long run of solved episodes must not delay the answer.
const mostPages = 10
const lastSteps = 3
const failed: readonly Episode['status'][] = ['failed', 'limited', 'errored']

export interface Failures {
  run: Run
  report: Report | null
  episodes: { episode: Episode; tree: Tree | null }[]
  next: string | null
}

type Reader = Pick<ApiClient, 'run' | 'report' | 'episodes' | 'tree'>

export async function lookForFailures(
  client: Reader,
  id: string,
  { after, limit, signal }: { after?: string; limit: number; signal: AbortSignal },
): Promise<Failures> {
  const run = await client.run(id)
  const report = after === undefined && run.episodes.errored > 0 ? await client.report(id) : null
  const found: Episode[] = []
  let next: string | null = after ?? null
  for (let page = 0; page < mostPages; page++) {
    signal.throwIfAborted()
    const query = { limit: pageOfEpisodes, ...(next !== null && { after: next }) }
    const { data, has_more } = await client.episodes(id, query)
    for (const [at, episode] of data.entries()) {
      next = episode.id
      if (failed.includes(episode.status)) found.push(episode)
      if (found.length < limit) continue
      const isLast = at === data.length - 1 && !has_more
      return { run, report, episodes: await withTrees(client, id, found), next: isLast ? null : next }
    }
    if (!has_more) return { run, report, episodes: await withTrees(client, id, found), next: null }
  }
  return { run, report, episodes: await withTrees(client, id, found), next }
}

async function withTrees(client: Reader, run: string, episodes: Episode[]): Promise<Failures['episodes']> {
  const result: Failures['episodes'] = []
  for (const episode of episodes) {
    const isPlayed = (episode.result?.nodes ?? 0) > 1
    result.push({ episode, tree: isPlayed ? await client.tree(run, episode.id) : null })
  }
  return result
}

export function formatFailures({ episodes, next, report, run }: Failures, width: number): string[] {
  const { errored, limited, succeeded } = run.episodes
  const unsolved = run.episodes.failed + limited + errored
  const open = run.episodes.active + run.episodes.waiting
  return [
    `${unsolved} of the ${unsolved + succeeded} ended episodes of ${run.id} did not solve their task${open > 0 ? `; ${open} are not ended` : ''}.`,
    ...(report === null ? [] : ['', ...formatErrors(report, width)]),
    ...episodes.flatMap(({ episode, tree }) => ['', ...describeFailure(episode, tree)]),
    ...(next === null ? [] : ['', `[There may be more. Go on with "after": "${next}".]`]),
  ]
}

function describeFailure(episode: Episode, tree: Tree | null): string[] {
  const { id, purpose, result, status, task } = episode
  const reason = endReason(episode)
  const end =
    reason === null ? episodeEndWord({ status, limit: result?.limit ?? null }, purpose) : endWords[reason]
  const counts = result === null ? '' : `; reward ${formatNumber(result.reward)}, ${result.steps} steps`
  return [
    `${id}  ${task}: ${end}${counts}`,
    ...(result?.error ? [`  ${result.error.name}: ${result.error.message}`] : []),
    ...(tree === null ? [] : stepLines(tree, { to: tree.best, last: lastSteps })),
  ]
}
