import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { Query } from '../../shared/core/client/transport.ts'
import { episodeEndSchema } from '../../shared/core/contracts/episode.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { passageKindSchema, type TranscriptHits } from '../../shared/core/contracts/transcript-search.ts'
import { choiceOption } from '../choice-option.ts'
import { nextCommand } from '../command-name.ts'
import { type Connection, lookAt } from '../connect.ts'
import { formatHits } from '../format-hits.ts'
import type { GlobalOptions } from '../global-options.ts'
import { addLabelFilters, type LabelFlags, toLabelQuery } from '../label-filters.ts'
import { collect, parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

type SearchOptions = GlobalOptions &
  LabelFlags & {
    run?: string[]
    environment?: string
    method?: string
    outcome?: string
    finishReason?: string
    kind?: string
    limit: number
    after?: string
    wait: boolean
  }

export function addSearchCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('search')
    .description('Search the observations, answers and notes of all trees.')
    .argument(
      '<words...>',
      'words that a passage must contain; "several words" for a phrase; wor* for the beginning of a word',
    )
    .option('--run <id>', 'only this run; may be given several times', collect)
    .option('--environment <id>', 'only episodes in this environment')
    .option('--method <id>', 'only episodes played by this method')
    .addOption(choiceOption('--outcome <end>', 'only episodes with this outcome', episodeEndSchema.options))
    .option('--finish-reason <word>', 'only answers with this finish reason, such as stop or length')
    .addOption(choiceOption('--kind <kind>', 'only passages of this kind', passageKindSchema.options))
    .option('--limit <n>', 'maximum number of results', parseNumber, 20)
    .option('--after <place>', 'only results after this position')
    .option('--no-wait', 'answer before all ended episodes are indexed')
  addLabelFilters(command)
  command
    .addHelpText(
      'after',
      `\nExample: espalier search invalid action --outcome failed\n         espalier search '"white wool" craft*' --kind observation --environment ${exampleEnvironment}`,
    )
    .action(async (words: string[], _: unknown, used: Command) => {
      const options = used.optsWithGlobals<SearchOptions>()
      const q = words.join(' ')
      await lookAt(options, terminal, async (connection) => {
        const hits = await search(connection.client, terminal, options, q)
        printResult(terminal, options, hits, () =>
          formatHits(hits, linkOf(connection, options, terminal), terminal),
        )
        if (hits.has_more)
          terminal.note(`There is more to look at: the same command with --after ${hits.last_id}`)
      })
    })
}

async function search(
  client: ApiClient,
  terminal: Terminal,
  options: SearchOptions,
  q: string,
): Promise<TranscriptHits> {
  const { after, environment, finishReason: finish_reason, kind, limit, method, outcome, run } = options
  const query: Query = {
    ...{ q, run, environment, method, outcome, finish_reason, kind, limit, after },
    ...toLabelQuery(options),
  }
  let hits = await client.searchTranscripts(query)
  if (!options.wait || hits.not_indexed === 0) return hits
  const line = await showLine(terminal)
  try {
    for (let left = Number.POSITIVE_INFINITY; hits.not_indexed > 0 && hits.not_indexed < left; ) {
      left = hits.not_indexed
      line.update(`Indexing transcripts: ${left} ended episodes are left.`)
      hits = await client.searchTranscripts(query)
    }
    return hits
  } finally {
    line.stop()
  }
}

function linkOf({ address, embedded }: Connection, options: GlobalOptions, terminal: Terminal) {
  return ({ episode, node, run }: { run: string; episode: string; node: number | null }): string => {
    if (embedded) {
      return nextCommand(terminal, options, `show ${run} ${episode}${node === null ? '' : ` --node ${node}`}`)
    }
    const path = `/runs/${encodeURIComponent(run)}/episodes/${encodeURIComponent(episode)}`
    return new URL(node === null ? path : `${path}?node=${node}`, address).href
  }
}
