import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import { formatImport, formatImported, formatImports, formatRejections } from '../format-trajectories.ts'
import type { GlobalOptions } from '../global-options.ts'
import { addLabelFilters, type LabelFlags, toLabelQuery } from '../label-filters.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type TrajectoriesOptions = GlobalOptions &
  LabelFlags & { limit: number; after?: string; rejections?: boolean; name?: string }

export function addTrajectoriesCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('trajectories')
    .description('List imports of trajectories, newest first, or show one import with its rejected rows.')
    .argument('[import]', 'an import')
    .option('--rejections', 'show the rejected rows of the import instead of the accepted ones')
    .option('--limit <n>', 'maximum number of imports, or of rows of one', parseNumber, 20)
    .option('--after <id>', 'only items after this one in the list')
    .option('--name <text>', 'only imports whose name contains this text')
  addLabelFilters(command)
  command
    .addHelpText('after', '\nExample: espalier trajectories import-0123 --rejections')
    .action(async (id: string | undefined, _: unknown, used: Command) => {
      const options = used.optsWithGlobals<TrajectoriesOptions>()
      const query = { limit: options.limit, after: options.after }
      await lookAt(options, terminal, async ({ client }) => {
        if (id === undefined) {
          const list = await client.imports({ ...query, name: options.name, ...toLabelQuery(options) })
          printResult(terminal, options, list, () => formatImports(list.data, terminal.columns))
          if (list.has_more) terminal.note(`There are more: espalier trajectories --after ${list.last_id}`)
          return
        }
        const found = await client.import(id)
        if (options.rejections) {
          const page = await client.rejections(id, query)
          const value = { ...found, rejection_list: page }
          printResult(terminal, options, value, () => [formatImport(found), ...formatRejections(page.data)])
          if (page.has_more) terminal.note(moreOf(id, page.last_id, ' --rejections'))
          return
        }
        const page = await client.importedTrajectories(id, query)
        const first = found.rejected === 0 ? null : await client.rejections(id, { limit: 10 })
        const value = { ...found, trajectory_list: page, ...(first && { rejection_list: first }) }
        printResult(terminal, options, value, () => [
          formatImport(found),
          ...formatImported(page.data, terminal.columns),
          ...(first === null ? [] : ['', 'Rejected:', ...formatRejections(first.data)]),
        ])
        if (page.has_more) terminal.note(moreOf(id, page.last_id, ''))
      })
    })
}

function moreOf(id: string, last: string | null, flag: string): string {
  return `There are more: espalier trajectories ${id}${flag} --after ${last}`
}
