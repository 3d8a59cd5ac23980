import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'
import { renderWorkers, type Scheduler, schedulers } from '../workers/render-workers.ts'
import { readWorkersFile } from '../workers/workers-file.ts'

type RenderOptions = GlobalOptions & { file: string; out: string; dryRun?: boolean }

const renderExample = 'Example: espalier workers render slurm --file workers.yaml --dry-run'

export function addWorkersCommand(program: Command, terminal: Terminal): void {
  const workers = program
    .command('workers')
    .description(
      "List the workers with their machines, episodes and load; or write job files for your cluster's scheduler.",
    )
    .addHelpText('after', '\nExample: espalier workers --service http://head:8080')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.workers()
        printResult(terminal, options, list, () => formatWorkers(list.data, terminal.columns))
      })
    })
  workers
    .command('render')
    .description('Write a Slurm array, a Kubernetes Deployment or a SkyPilot task from one small file.')
    .addArgument(new Argument('<scheduler>', 'the scheduler').choices(schedulers))
    .requiredOption('--file <file>', 'the description of the workers, in YAML')
    .option('--out <folder>', 'output folder', '.')
    .option('--dry-run', 'print the job file instead of writing it')
    .addHelpText('after', `\n${renderExample}`)
    .action(async (scheduler: Scheduler, _: unknown, command: Command) => {
      const { file, out, dryRun = false, json = false } = command.optsWithGlobals<RenderOptions>()
      const { name, text } = renderWorkers(scheduler, await readWorkersFile(resolve(file)))
      const path = join(resolve(out), name)
      if (!dryRun) {
        await writeFile(path, text, { flag: 'wx' }).catch((error: unknown) => {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
          throw wrongUsage(`${path} exists: remove it, or name another folder with --out.`)
        })
      }
      if (json) terminal.out(JSON.stringify({ path: dryRun ? null : path, text }))
      else terminal.out(dryRun ? text.trimEnd() : `Wrote ${path}.`)
    })
}

export function formatWorkers(workers: readonly WorkerInfo[], width: number): string[] {
  if (workers.length === 0)
    return ['No worker runs. Start one: espalier serve, or espalier worker on another machine.']
  return formatTable(
    [
      { header: 'worker' },
      { header: 'state' },
      { header: 'machine', flexible: true },
      { header: 'kind' },
      { header: 'labels', flexible: 'wrap' },
      { header: 'episodes', align: 'right' },
      { header: 'runs', flexible: 'wrap' },
      { header: 'version' },
    ],
    workers.map(({ capacity, episodes, host, id, kind, labels, playing, status, version }) => [
      id,
      status,
      host,
      kind,
      labels.join(', '),
      `${playing} of ${capacity}${kind === 'host' ? ' hosts' : ''}`,
      [...new Set(episodes.map(({ run }) => run))].join(' '),
      version,
    ]),
    width,
  )
}
