import type { Command } from 'commander'
import type { DatasetRequest } from '../../shared/contracts/dataset.ts'
import { buildDataset, describeDataset } from '../build-dataset.ts'
import { withConnection } from '../connect.ts'
import { datasetFolder } from '../dataset-folder.ts'
import { downloadDataset } from '../download-dataset.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type ExportOptions = GlobalOptions & {
  kind: DatasetRequest['kind']
  format: DatasetRequest['format']
  minReward?: number
  name?: string
  out?: string
}

export function addExportCommand(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('Build a dataset from runs, download it and check every file.')
    .argument('<run...>', 'the runs')
    .option('--kind <kind>', 'what the rows teach', 'sft')
    .option('--format <format>', 'which trainer reads them', 'openai-chat')
    .option('--min-reward <n>', 'rows with at least this reward (default: successful ones)', parseNumber)
    .option('--name <text>', 'a name for people')
    .option('--out <folder>', 'where to (default: exports/{dataset} in the data folder)')
    .addHelpText('after', '\nExample: espalier export run-0123 --kind sft --format openai-chat --out rows')
    .action(async (runs: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>()
      await withConnection(options, terminal, async ({ client, folder: dataFolder }) => {
        const { kind, format, minReward, name } = options
        const dataset = await buildDataset(client, {
          runs,
          kind,
          format,
          ...(minReward === undefined ? {} : { min_reward: minReward }),
          ...(name === undefined ? {} : { name }),
        })
        const folder = options.out ?? datasetFolder(dataFolder, dataset.id)
        const paths = await downloadDataset(client, dataset.id, folder)
        printResult(terminal, options, { ...dataset, folder, paths }, () => describeDataset(dataset, folder))
      })
    })
}
