import { z } from 'zod'
import { endWords } from '../../shared/core/client/end-words.ts'
import { endReason, endReasonSchema } from '../../shared/core/contracts/end-reason.ts'
import { type Episode, episodeStatusSchema } from '../../shared/core/contracts/episode.ts'
import { type Run, runStatusSchema } from '../../shared/core/contracts/run.ts'
import { followRun } from '../follow-run.ts'
import { formatComparison } from '../format-comparison.ts'
import { formatHits } from '../format-hits.ts'
import { formatReport } from '../format-report.ts'
import { formatEpisodes, formatRun, formatRuns } from '../format-run.ts'
import { afterArgument, limitArgument, moreAfter, offsetArgument, runArgument, runOf } from './arguments.ts'
import { formatFailures, lookForFailures } from './failures.ts'
import { defineTool, type Tool } from './tool.ts'

const width = 160
// Seconds. A stock client stops waiting for a call after 60.
const longestWait = 45

const listRuns = defineTool({
  name: 'list_runs',
  description: 'Lists runs, newest first, with status, solved episodes and cost.',
  scope: 'runs:read',
  input: z.strictObject({
    status: runStatusSchema.optional(),
    environment: z.string().min(1).max(200).optional(),
    method: z.string().min(1).max(200).optional(),
    limit: limitArgument(20),
    after: afterArgument,
    offset: offsetArgument,
  }),
  answer: (desk, { after, environment, limit, method, status }) =>
    desk.read(async ({ client }) => {
      const runs = await client.runs({ status, environment, method, limit, after })
      if (runs.data.length === 0) return 'No run is like that.'
      return [...formatRuns(runs.data, Number.POSITIVE_INFINITY), ...moreAfter(runs)].join('\n')
    }),
})

const getRun = defineTool({
  name: 'get_run',
  description:
    'Shows a run: status, settings, counts of episodes, cost and caps. With `wait_seconds` it answers when the run ends or pauses, or after that time.',
  scope: 'runs:read',
  input: z.strictObject({
    run: runArgument,
    wait_seconds: z.int().min(0).max(longestWait).default(0),
    offset: offsetArgument,
  }),
  answer: (desk, { run, wait_seconds }, signal) =>
    desk.read(async (connection) => {
      const { client } = connection
      const id = await runOf(connection, run)
      const late = AbortSignal.timeout(1000 * wait_seconds)
      const found: Run =
        wait_seconds === 0
          ? await client.run(id)
          : await followRun(client, id, { signal: AbortSignal.any([late, signal]) }).catch((error) => {
              if (late.aborted) return client.run(id)
              throw error
            })
      desk.allowance.settle(found)
      return formatRun(found, width).join('\n')
    }),
})

const getReport = defineTool({
  name: 'get_report',
  description:
    'Reports on a run: success rate, reward, effort and cost with 95 % intervals. With `tasks` also task by task.',
  scope: 'runs:read',
  input: z.strictObject({ run: runArgument, tasks: z.boolean().default(false), offset: offsetArgument }),
  answer: (desk, { run, tasks }) =>
    desk.read(async (connection) => {
      const report = await connection.client.report(await runOf(connection, run))
      return formatReport(report, { width, tasks }).join('\n')
    }),
})

const compareRuns = defineTool({
  name: 'compare_runs',
  description:
    'Compares runs on the tasks that they share, each with the first, and warns of unequal settings.',
  scope: 'runs:read',
  input: z.strictObject({
    runs: z.array(z.string().min(1).max(128)).min(2).max(20).describe('Ids of runs.'),
    offset: offsetArgument,
  }),
  answer: (desk, { runs }) =>
    desk.read(async ({ client }) => formatComparison(await client.compare(runs), width).join('\n')),
})

const listEpisodes = defineTool({
  name: 'list_episodes',
  description: 'Lists the episodes of a run, by status, end reason or task.',
  scope: 'runs:read',
  input: z.strictObject({
    run: runArgument,
    status: episodeStatusSchema.optional(),
    reason: endReasonSchema.optional(),
    task: z.string().min(1).max(200).optional().describe('Only tasks whose id holds this text.'),
    limit: limitArgument(30),
    after: afterArgument,
    offset: offsetArgument,
  }),
  answer: (desk, { run, ...query }) =>
    desk.read(async (connection) => {
      const { offset: _, ...filters } = query
      const episodes = await connection.client.episodes(await runOf(connection, run), filters)
      if (episodes.data.length === 0) return 'No episode is like that.'
      const lines = formatEpisodes(episodes.data, Number.POSITIVE_INFINITY)
      return [
        ...lines.map((line, at) => line + reasonOf(episodes.data[at - 1])),
        ...moreAfter(episodes),
      ].join('\n')
    }),
})

function reasonOf(episode: Episode | undefined): string {
  const reason = episode === undefined ? null : endReason(episode)
  return reason === null || reason === 'solved' ? '' : `  ${endWords[reason]}`
}

const listFailures = defineTool({
  name: 'list_failures',
  description:
    'Shows the episodes of a run that did not solve their task: end reason, error, and the last steps of each. Groups of equal errors come first.',
  scope: 'runs:read',
  input: z.strictObject({
    run: runArgument,
    limit: z.int().min(1).max(20).default(5).describe('At most this many episodes.'),
    after: afterArgument,
    offset: offsetArgument,
  }),
  answer: (desk, { after, limit, run }, signal) =>
    desk.read(async (connection) => {
      const id = await runOf(connection, run)
      const found = await lookForFailures(connection.client, id, {
        limit,
        signal,
        ...(after !== undefined && { after }),
      })
      return formatFailures(found, width).join('\n')
    }),
})

const searchTexts = defineTool({
  name: 'search_texts',
  description:
    'Finds words in the observations, answers and notes of all ended episodes. All words must occur; "several words" in quotes follow each other.',
  scope: 'runs:read',
  input: z.strictObject({
    words: z.string().min(1).max(500),
    run: runArgument.optional(),
    limit: limitArgument(10),
    after: afterArgument,
    offset: offsetArgument,
  }),
  answer: (desk, { after, limit, run, words }) =>
    desk.read(async (connection) => {
      const named = run === undefined ? {} : { run: await runOf(connection, run) }
      const hits = await connection.client.searchTranscripts({ q: words, limit, after, ...named })
      const paint = (_style: unknown, text: string) => text
      const link = ({ episode, node, run: of }: (typeof hits.data)[number]) =>
        `get_node run=${of} episode=${episode}${node === null ? '' : ` node=${node}`}`
      return [...formatHits(hits, link, { columns: width, paint }), ...moreAfter(hits)].join('\n')
    }),
})

export const readingTools: readonly Tool[] = [
  listRuns,
  getRun,
  getReport,
  compareRuns,
  listEpisodes,
  listFailures,
  searchTexts,
]
