import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addExperimentsCommand(program: Command, terminal: Terminal): void {
  program
    .command('experiments')
    .description('List experiments, with their numbers of runs, datasets and imports.')
    .option('--limit <n>', 'maximum number of experiments', parseNumber, 100)
    .option('--after <name>', 'only experiments after this one in the list')
    .addHelpText('after', '\nExample: espalier experiments')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { limit: number; after?: string }>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.experiments({ limit: options.limit, after: options.after })
        printResult(terminal, options, list, () => {
          if (list.data.length === 0) return ['No experiments yet: espalier run --experiment NAME makes one.']
          const columns = [
            { header: 'experiment', flexible: true },
            ...['runs', 'datasets', 'imports'].map((header) => ({ header, align: 'right' as const })),
          ]
          const rows = list.data.map(({ id, ...counts }) => [
            id,
            ...[counts.runs, counts.datasets, counts.imports].map(String),
          ])
          return formatTable(columns, rows, terminal.columns)
        })
        if (list.has_more) terminal.note(`There are more: espalier experiments --after "${list.last_id}"`)
      })
    })
}
