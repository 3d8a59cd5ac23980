import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { DatasetKindInfo } from '../../shared/core/contracts/dataset.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { formatDataset, formatDatasets, formatFormats, formatKind, formatKinds } from '../format-dataset.ts'
import type { GlobalOptions } from '../global-options.ts'
import { addLabelFilters, type LabelFlags, toLabelQuery } from '../label-filters.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type DatasetsOptions = GlobalOptions &
  LabelFlags & {
    name?: string
    kinds?: boolean | string
    formats?: boolean
    rows?: number
    split?: string
    limit: number
    after?: string
  }

export function addDatasetsCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('datasets')
    .description('List datasets, newest first, show one, or list kinds and formats.')
    .argument('[dataset]', 'a dataset')
    .option('--rows <n>', 'show the first rows of the dataset, with their lineage', parseNumber)
    .option('--split <name>', 'split of the shown rows')
    .option('--kinds [kind]', 'list the kinds of rows; with a kind, its parameters')
    .option('--formats', 'list the trainers’ formats')
    .option('--limit <n>', 'maximum number of datasets', parseNumber, 20)
    .option('--after <dataset>', 'only datasets after this one in the list')
    .option('--name <text>', 'only datasets whose name contains this text')
  addLabelFilters(command)
  command
    .addHelpText('after', '\nExample: espalier datasets --kinds step-preference')
    .action(async (dataset: string | undefined, _: unknown, used: Command) => {
      const options = used.optsWithGlobals<DatasetsOptions>()
      if (options.rows !== undefined && dataset === undefined) throw wrongUsage('--rows of which dataset?')
      await lookAt(options, terminal, async ({ client }) => {
        if (options.kinds !== undefined) await showKinds(client, options, terminal)
        else if (options.formats) {
          const list = await client.datasetFormats()
          printResult(terminal, options, list, () => formatFormats(list.data, terminal.columns))
        } else if (dataset === undefined) await showList(client, options, terminal)
        else if (options.rows === undefined) await showOne(client, dataset, options, terminal)
        else {
          const rows = await client.datasetRows(dataset, { limit: options.rows, split: options.split })
          // Rows are long and nested, so JSON is the most readable form.
          terminal.out(JSON.stringify(rows, null, 2))
        }
      })
    })
}

async function showKinds(client: ApiClient, options: DatasetsOptions, terminal: Terminal): Promise<void> {
  const list = await client.datasetKinds()
  if (options.kinds === true) {
    printResult(terminal, options, list, () => formatKinds(list.data, terminal.columns))
    return
  }
  const kind = list.data.find(({ id }) => id === options.kinds)
  if (kind === undefined) throw unknownKind(String(options.kinds), list.data)
  printResult(terminal, options, kind, () => formatKind(kind, terminal.columns))
}

function unknownKind(id: string, kinds: DatasetKindInfo[]): Error {
  const known = kinds.map((each) => each.id)
  return wrongUsage(unknownName('There is no dataset kind', id, known))
}

async function showList(client: ApiClient, options: DatasetsOptions, terminal: Terminal): Promise<void> {
  const list = await client.datasets({
    limit: options.limit,
    after: options.after,
    name: options.name,
    ...toLabelQuery(options),
  })
  printResult(terminal, options, list, () => formatDatasets(list.data, terminal.columns))
  if (list.has_more) terminal.note(`There are more: espalier datasets --after ${list.last_id}`)
}

async function showOne(
  client: ApiClient,
  id: string,
  options: DatasetsOptions,
  terminal: Terminal,
): Promise<void> {
  const dataset = await client.dataset(id)
  const asked = dataset.annotation_run === null ? null : await client.run(dataset.annotation_run)
  printResult(terminal, options, dataset, () => formatDataset(dataset, { width: terminal.columns, asked }))
}
