import type { Command } from 'commander'
import type { RunFilter } from '../../shared/core/contracts/run.ts'
import { lookAt } from '../connect.ts'
import { formatRuns } from '../format-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import { addLabelFilters, type LabelFlags, toLabelQuery, toMetadataQuery } from '../label-filters.ts'
import { noteUnplayed } from '../note-unplayed.ts'
import { collect, parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type RunsOptions = GlobalOptions &
  LabelFlags &
  Omit<RunFilter, 'status' | 'metadata' | 'experiment' | 'tag' | 'archived'> & {
    limit: number
    after?: string
    status?: string
    metadata?: string[]
  }

export function addRunsCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('runs')
    .description('List runs, newest first.')
    .option('--limit <n>', 'maximum number of runs', parseNumber, 20)
    .option('--after <run>', 'only runs after this one in the list')
    .option('--status <status>', 'only runs with this status, such as running or completed')
    .option('--environment <id>', 'only runs in this environment')
    .option('--method <id>', 'only runs with this method')
    .option('--model <id>', 'only runs with this model')
    .option('--name <text>', 'only runs whose name contains this text')
    .option('--metadata <name=value>', 'only runs with this metadata; may be given several times', collect)
  addLabelFilters(command)
  command
    .addHelpText('after', '\nExample: espalier runs --status paused --limit 5')
    .action(async (_: unknown, used: Command) => {
      const options = used.optsWithGlobals<RunsOptions>()
      await lookAt(options, terminal, async (connection) => {
        const { client } = connection
        const { after, environment, limit, method, model, name } = options
        const status = options.status === 'completed' ? 'succeeded' : options.status
        const filter = {
          ...{ environment, method, model, name, status },
          ...toMetadataQuery(options.metadata ?? []),
          ...toLabelQuery(options),
        }
        const list = await client.runs({ limit, after, ...filter })
        const isFiltered = Object.values(filter).some((wanted) => wanted !== undefined)
        printResult(terminal, options, list, () =>
          isFiltered && list.data.length === 0
            ? ['No run here is like that.']
            : formatRuns(list.data, terminal.columns),
        )
        noteUnplayed(connection, list.data, options, terminal)
        if (!list.has_more) return
        terminal.note(
          isFiltered
            ? `There are older ones to look at: the same command with --after ${list.last_id}`
            : `There are more: espalier runs --after ${list.last_id}`,
        )
      })
    })
}
