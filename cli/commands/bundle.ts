import { join } from 'node:path'
import type { Command } from 'commander'
import type { Run } from '../../shared/core/contracts/run.ts'
import { writeBundle } from '../bundle/write-bundle.ts'
import { CommandError } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { fillFolder } from '../fill-folder.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type BundleOptions = GlobalOptions & { out: string }

export function addBundleCommand(program: Command, terminal: Terminal): void {
  program
    .command('bundle')
    .description(
      'Write a folder of static pages that show runs, their trees and their comparison without a service.',
    )
    .argument('<run...>', 'the runs; each is compared with the first')
    .requiredOption('--out <folder>', 'output folder')
    .addHelpText(
      'after',
      '\nThe pages hold tasks, observations and answers: share them as you would the runs themselves.\nExample: espalier bundle run-0123 run-0456 --out bundle && open bundle/index.html',
    )
    .action(async (ids: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BundleOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const runs: Run[] = []
        for (const id of new Set(ids)) runs.push(await client.run(id))
        const page = await write(
          () => fillFolder(options.out, (aside) => writeBundle(client, runs, aside)),
          options.out,
        )
        const path = join(options.out, page)
        printResult(terminal, options, { object: 'bundle', path, runs: runs.map(({ id }) => id) }, () => [
          `open ${path}`,
        ])
      })
    })
}

async function write(work: () => Promise<string>, folder: string): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new CommandError('unwritable_folder', `Nothing can be written to ${folder}: ${error.message}`)
    throw error
  }
}
