import type { Command } from 'commander'
import { formatBytes, formatCount } from '../../shared/core/client/format-quantity.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { DataPackRow } from '../../shared/environments/data-packs/open-data-packs.ts'
import { type DeskOptions, stageFlag } from '../at-desk.ts'
import { wrongUsage } from '../command-error.ts'
import { addSource } from '../data/add-source.ts'
import { fetchPack } from '../data/fetch-pack.ts'
import { findPackDefinition } from '../data/find-definition.ts'
import { withPackStore } from '../data/with-pack-store.ts'
import { formatTable } from '../format-table.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

const columns = [
  { header: 'environment' },
  { header: 'name', flexible: true },
  { header: 'digest' },
  { header: 'files', align: 'right' as const },
  { header: 'size', align: 'right' as const },
  { header: 'added' },
]

type AddOptions = DeskOptions & { name?: string }

export function addDataCommand(program: Command, terminal: Terminal): void {
  const data = program
    .command('data')
    .description('Add, list and remove the data packs that environments play.')
    .addHelpText('after', `\nExample: espalier data add ${exampleEnvironment} ./recipes`)
  addAdd(data, terminal)
  addFetch(data, terminal)
  addList(data, terminal)
  addRemove(data, terminal)
}

function addAdd(data: Command, terminal: Terminal): void {
  data
    .command('add')
    .description('Add data from a folder or an archive. New runs then play it unless they name another pack.')
    .argument('<environment>', 'the environment that plays the data pack')
    .argument('<source>', 'a folder, a .zip, or a .tar, also packed as .gz, .xz, .bz2 or .zst')
    .option('--name <name>', "name of the pack (default: the source's)")
    .option(...stageFlag)
    .addHelpText('after', `\nExample: espalier data add ${exampleEnvironment} ./recipes --name full`)
    .action(async (environment: string, source: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>()
      await addSource({ environment, source, options }, terminal)
    })
}

function addFetch(data: Command, terminal: Terminal): void {
  data
    .command('fetch')
    .description("Download an environment's public data and add it.")
    .argument('<environment>', 'the environment that plays the data pack')
    .argument('[file]', 'only this file of the public data')
    .option('--name <name>', 'name of the pack (default: public)')
    .option(...stageFlag)
    .addHelpText('after', '\nExample: espalier data fetch webshop')
    .action(async (environment: string, file: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>()
      await fetchPack({ environment, ...(file !== undefined && { file }), options }, terminal)
    })
}

function addList(data: Command, terminal: Terminal): void {
  data
    .command('list')
    .description('List data packs, newest first. Runs play the newest.')
    .argument('[environment]', 'only data packs of this environment')
    .option(...stageFlag)
    .addHelpText('after', '\nExample: espalier data list')
    .action(async (environment: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DeskOptions>()
      const of = environment && (await findPackDefinition(options.folder, environment)).id
      const packs = await withPackStore(options, (store) => store.list(of))
      printResult(terminal, options, packs, () => formatPacks(packs, terminal.columns, of))
    })
}

function addRemove(data: Command, terminal: Terminal): void {
  data
    .command('remove')
    .description('Remove a data pack from the list. Runs that name it can still be resumed and extended.')
    .argument('<environment>', 'the environment that plays the data pack')
    .argument('<pack>', 'digest or name of the pack, as `data list` shows it')
    .option(...stageFlag)
    .addHelpText('after', `\nExample: espalier data remove ${exampleEnvironment} recipes`)
    .action(async (environment: string, wanted: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DeskOptions>()
      const removed = await withPackStore(options, async (store) => {
        const packs = await store.list(environment)
        const found = packs.filter(({ digest, name }) => digest === wanted || name === wanted)
        if (found.length > 1) {
          throw wrongUsage(`${found.length} packs of ${environment} are called "${wanted}". Give the digest.`)
        }
        const digest = found[0]?.digest ?? wanted
        await store.remove(environment, digest)
        return { environment, digest, object: 'data_pack', deleted: true }
      })
      printResult(terminal, options, removed, () => [`${removed.digest} of ${environment} is removed.`])
    })
}

function formatPacks(packs: readonly DataPackRow[], width: number, environment?: string): string[] {
  if (packs.length === 0) {
    const of = environment === undefined ? '' : ` of ${environment}`
    return [`No data packs${of} yet. Add one: espalier data add ${environment ?? 'ENVIRONMENT'} FOLDER`]
  }
  const rows = packs.map(({ environment, name, digest, files, size, added_at }) => [
    environment,
    name,
    digest,
    formatCount(files),
    formatBytes(size),
    added_at.slice(0, 16).replace('T', ' '),
  ])
  return formatTable(columns, rows, width)
}
