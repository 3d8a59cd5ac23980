import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatCount, formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { CallTokens, EpisodeTokens } from '../../shared/core/contracts/token-record.ts'
import { wrongUsage } from '../command-error.ts'
import { type Connection, lookAt } from '../connect.ts'
import { drawTree } from '../draw-tree.ts'
import { toLine } from '../fit-text.ts'
import { formatErrors } from '../format-errors.ts'
import { formatNode } from '../format-node.ts'
import { formatEpisode, formatEpisodes, formatRun } from '../format-run.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { noteUnplayed } from '../note-unplayed.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type ShowOptions = GlobalOptions & {
  tree?: boolean
  trajectory?: boolean
  tokens?: boolean
  depth?: number
  node?: number
  children?: number
  status?: string
  limit: number
  after?: string
}

export function addShowCommand(program: Command, terminal: Terminal): void {
  program
    .command('show')
    .description(
      'Show a run with its episodes, an episode with its tree, or a node with its prompt and answers.',
    )
    .argument('<run>', 'the run: its id, or latest')
    .argument('[episode]', 'an episode of the run')
    .option('--tree', 'draw the tree of the episode')
    .option('--trajectory', "print the episode's trajectory (ATIF JSON)")
    .option('--tokens', 'list the token records of the episode, with a verdict on each turn')
    .option('--depth <n>', 'draw this many levels of the tree, and the best path in full', parseNumber)
    .option(
      '--node <n>',
      'show this node: prompts, answers, votes, notes, state; with --tree, start the drawing at it',
      parseNumber,
    )
    .option('--children <n>', 'draw at most this many children of a node (default: 5)', parseNumber)
    .option('--status <status>', 'only episodes with this status')
    .option('--limit <n>', 'maximum number of episodes', parseNumber, 20)
    .option('--after <episode>', 'only episodes after this one')
    .addHelpText(
      'after',
      '\nExample: espalier show run-0123 ep-0000003 --tree --depth 4\n         espalier show run-0123 ep-0000003 --node 7',
    )
    .action(async (run: string, episode: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ShowOptions>()
      const { node, tokens, trajectory, tree } = options
      if (episode === undefined && (tree || trajectory || tokens || node !== undefined)) {
        throw wrongUsage(`Which episode? \`espalier show ${run}\` lists them.`)
      }
      await lookAt(options, terminal, async (connection) => {
        if (episode === undefined) await showRun(connection, run, options, terminal)
        else await showEpisode(connection.client, run, episode, options, terminal)
      })
    })
}

async function showRun(
  connection: Connection,
  id: string,
  options: ShowOptions,
  terminal: Terminal,
): Promise<void> {
  const { client } = connection
  const run = await client.run(id)
  const { limit, after, status } = options
  const episodes = await client.episodes(id, { limit, after, status })
  const errors =
    options.json || run.episodes.errored === 0 ? [] : formatErrors(await client.report(id), terminal.columns)
  printResult(terminal, options, { ...run, episode_list: episodes }, () => [
    ...formatRun(run, terminal.columns),
    ...(errors.length > 0 ? ['', ...errors] : []),
    '',
    ...formatEpisodes(episodes.data, terminal.columns),
  ])
  noteUnplayed(connection, [run], options, terminal)
  if (episodes.has_more) terminal.note(`There are more: espalier show ${id} --after ${episodes.last_id}`)
}

async function showEpisode(
  client: ApiClient,
  run: string,
  id: string,
  options: ShowOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.trajectory) {
    terminal.out(JSON.stringify(await client.trajectory(run, id), null, 2))
    return
  }
  if (options.tokens) {
    const tokens = await client.tokens(run, id)
    printResult(terminal, options, tokens, () => formatTokens(tokens, terminal.columns))
    return
  }
  if (!options.tree && options.node !== undefined) {
    const detail = await client.node(run, id, options.node)
    printResult(terminal, options, detail, () => formatNode(detail, terminal.columns))
    return
  }
  if (!options.tree) {
    const episode = await client.episode(run, id)
    printResult(terminal, options, episode, () => formatEpisode(episode))
    return
  }
  const tree = await client.tree(run, id)
  const { depth, node, children } = options
  if (node !== undefined && tree.nodes[node] === undefined) {
    throw wrongUsage(`The tree has nodes 0 to ${tree.nodes.length - 1}; there is no node ${node}.`)
  }
  printResult(terminal, options, tree, () =>
    drawTree(tree, {
      width: terminal.columns,
      ...(depth === undefined ? {} : { depth }),
      ...(node === undefined ? {} : { node }),
      ...(children === undefined ? {} : { children }),
    }).map((line) => (line.includes('● #') ? terminal.paint('green', line) : line)),
  )
}

const unknown = '?'

function formatTokens({ calls, unrecorded, episode }: EpisodeTokens, width: number): string[] {
  if (calls.length === 0) {
    return [`${episode} has no token records. Play runs with "record": "tokens" to keep them.`]
  }
  const columns = [
    { header: 'call', flexible: true },
    { header: 'node', align: 'right' as const },
    { header: 'turn' },
    { header: 'prompt', align: 'right' as const },
    { header: 'answers', align: 'right' as const },
    { header: 'logprob', align: 'right' as const },
    { header: 'source' },
    { header: 'version' },
  ]
  const kinds = Map.groupBy(
    calls.flatMap(({ verdict }) => verdict?.kind ?? []),
    (kind) => kind,
  )
  const turns = [...kinds].map(([kind, all]) => `${formatCount(all.length)} ${kind}`)
  return [
    ...formatTable(columns, calls.map(rowOf), width),
    '',
    ...(turns.length > 0 ? [`turns: ${turns.join(', ')}`] : []),
    ...(unrecorded > 0 ? [`${formatCount(unrecorded)} answered calls have no record.`] : []),
    ...calls.flatMap(({ call, warnings }) => warnings.map((warning) => toLine(`${call}: ${warning}`))),
  ]
}

function rowOf({ call, node, verdict, prompt_ids, answers, source, version }: CallTokens): string[] {
  return [
    toLine(call),
    node === null ? '' : `#${node}`,
    verdict === null
      ? ''
      : `${verdict.kind}${verdict.position === undefined ? '' : ` at ${verdict.position}`}`,
    prompt_ids === null ? unknown : formatCount(prompt_ids.length),
    answers.map(({ ids }) => (ids === null ? unknown : formatCount(ids.length))).join(' '),
    answers.map(({ logprobs }) => meanOf(logprobs)).join(' '),
    source,
    toLine(version ?? unknown),
  ]
}

// The mean over the known log-probabilities.
function meanOf(logprobs: readonly (number | null)[] | null): string {
  const known = logprobs?.filter((logprob) => logprob !== null) ?? []
  if (known.length === 0) return unknown
  return formatNumber(known.reduce((sum, logprob) => sum + logprob, 0) / known.length)
}
