import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { BackedUpWorld } from '../../local/backup/back-up.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { shortPath } from '../dataset-folder.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import { objectsFlag, sharedWorld, worldFlag } from '../shared-world.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

export type BackupOptions = GlobalOptions & { world?: string; objects?: string }

export function addBackupCommand(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description(
      'Copy a whole world into a new folder, while its service runs: one snapshot of the ledger, and all objects that it names. If interrupted, run it again with the same target to continue.',
    )
    .argument('<target>', 'new folder for the backup')
    .option(...worldFlag)
    .option(...objectsFlag)
    .addHelpText('after', '\nExample: espalier backup backups/monday --folder .espalier')
    .action(async (target: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BackupOptions>()
      const world = backedUpWorld(options, terminal, 'backup')
      const { backUp } = await import('../../local/backup/back-up.ts')
      const line = await showLine(terminal)
      const sealed = await backUp(world, target, line.update).finally(line.stop)
      const { damaged, items, objects, bytes } = sealed
      const result = { folder: resolve(target), ...sealed }
      printResult(terminal, options, result, () => [
        `${shortPath(resolve(target))} has ${objects} objects and ${items} items of the ledger, ${bytes} bytes.`,
        ...damaged.map((name) => `damaged  ${name}`),
      ])
      if (damaged.length === 0) return
      const message = `The backup is complete, and ${damaged.length} of its entries were damaged in the world already.`
      if (!options.json) terminal.note(message)
      throw new CommandError('damaged', message, 1, { isPrinted: true })
    })
}

export function backedUpWorld(options: BackupOptions, terminal: Terminal, doing: string): BackedUpWorld {
  if (options.service !== undefined)
    throw wrongUsage(
      `"${doing}" reads the files of the world: leave out --service, and run it on the machine that has them.`,
    )
  return sharedWorld(options, terminal.environment) ?? { folder: options.folder }
}
