import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { Deleted, LabelChange } from '../../shared/core/contracts/labels.ts'
import { wrongUsage } from '../command-error.ts'
import { withConnection } from '../connect.ts'
import { formatLabels } from '../format-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type LabelOptions = GlobalOptions & {
  name?: string
  experiment?: string
  tag?: string[]
  untag?: string[]
  note?: string
}

const ids = 'ids of runs, datasets or imports'

export function addLabelCommand(program: Command, terminal: Terminal): void {
  program
    .command('label')
    .description('Rename, tag or describe runs, datasets and imports, or put them into an experiment.')
    .argument('<ids...>', ids)
    .option('--name <text>', 'new name; an empty text removes it')
    .option('--experiment <name>', 'experiment to put them into; an empty text takes them out of theirs')
    .option('--tag <word>', 'a tag to add; may be given several times', collect)
    .option('--untag <word>', 'a tag to remove; may be given several times', collect)
    .option('--note <text>', 'free-text description; an empty text removes it')
    .addHelpText('after', '\nExample: espalier label run-0123 --experiment depth --tag baseline')
    .action(async (things: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<LabelOptions>()
      const { experiment, name, note, tag, untag } = options
      const change: LabelChange = {
        ...(name !== undefined && { name: name || null }),
        ...(experiment !== undefined && { experiment: experiment || null }),
        ...(note !== undefined && { note: note || null }),
        ...(tag !== undefined && { add_tags: tag }),
        ...(untag !== undefined && { remove_tags: untag }),
      }
      if (Object.keys(change).length === 0) {
        throw wrongUsage('Say what is to change: --name, --experiment, --tag, --untag or --note.')
      }
      await labelAll(things, change, options, terminal)
    })
}

export function addArchiveCommand(program: Command, terminal: Terminal): void {
  addArchiving(
    program,
    terminal,
    'archive',
    'Hide runs, datasets and imports from lists; nothing is lost.',
    true,
  )
}

export function addUnarchiveCommand(program: Command, terminal: Terminal): void {
  addArchiving(
    program,
    terminal,
    'unarchive',
    'Show archived runs, datasets and imports in lists again.',
    false,
  )
}

function addArchiving(
  program: Command,
  terminal: Terminal,
  word: string,
  description: string,
  archived: boolean,
): void {
  program
    .command(word)
    .description(description)
    .argument('<ids...>', ids)
    .addHelpText('after', `\nExample: espalier ${word} run-0123 dataset-0456`)
    .action(async (things: string[], _: unknown, command: Command) => {
      await labelAll(things, { archived }, command.optsWithGlobals<GlobalOptions>(), terminal)
    })
}

export function addDeleteCommand(program: Command, terminal: Terminal): void {
  program
    .command('delete')
    .description(
      'Delete runs, datasets and imports permanently. Deleting items in use is refused, with the reason.',
    )
    .argument('<ids...>', ids)
    .addHelpText('after', '\nExample: espalier delete run-0123')
    .action(async (things: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const known = things.map(kindOf)
      await withConnection(options, terminal, async ({ client }) => {
        const deleted: Deleted[] = []
        for (const [at, id] of things.entries()) {
          const gone = await (known[at] as Kind).delete(client, id)
          deleted.push(gone)
          if (!options.json) terminal.out(`${gone.id} is deleted.`)
        }
        if (options.json) terminal.out(JSON.stringify({ object: 'list', data: deleted }, null, 2))
      })
    })
}

async function labelAll(
  things: string[],
  change: LabelChange,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const known = things.map(kindOf)
  await withConnection(options, terminal, async ({ client }) => {
    const changed: Labelled[] = []
    for (const [at, id] of things.entries()) {
      changed.push(await (known[at] as Kind).label(client, id, change))
    }
    printResult(terminal, options, { object: 'list', data: changed }, () =>
      changed.flatMap((thing) => {
        const labels = 'request' in thing && thing.object === 'run' ? { ...thing.request, ...thing } : thing
        const name = thing.object === 'run' ? thing.request.name : thing.name
        return [`${thing.id}${name ? `  (${name})` : ''}`, ...formatLabels(labels, terminal.columns)]
      }),
    )
  })
}

type Labelled = Awaited<ReturnType<ApiClient['labelRun' | 'labelDataset' | 'labelImport']>>

interface Kind {
  label(client: ApiClient, id: string, change: LabelChange): Promise<Labelled>
  delete(client: ApiClient, id: string): Promise<Deleted>
}

const kindsByPrefix: Readonly<Record<string, Kind>> = {
  run: {
    label: (client, id, change) => client.labelRun(id, change),
    delete: (client, id) => client.deleteRun(id),
  },
  dataset: {
    label: (client, id, change) => client.labelDataset(id, change),
    delete: (client, id) => client.deleteDataset(id),
  },
  import: {
    label: (client, id, change) => client.labelImport(id, change),
    delete: (client, id) => client.deleteImport(id),
  },
}

function kindOf(id: string): Kind {
  const kind = kindsByPrefix[id.slice(0, Math.max(0, id.indexOf('-')))]
  if (kind !== undefined) return kind
  throw wrongUsage(
    `"${id}" is the id of no run, dataset or import. They begin with run-, dataset- or import-.`,
  )
}
