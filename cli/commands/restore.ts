import { resolve } from 'node:path'
import type { Command } from 'commander'
import { shortPath } from '../dataset-folder.ts'
import { printResult } from '../print-result.ts'
import { objectsFlag, worldFlag } from '../shared-world.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'
import { type BackupOptions, backedUpWorld } from './backup.ts'

export function addRestoreCommand(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .description(
      'Verify a backup, and create a world from it. The folder, or the database and its objects, must be empty.',
    )
    .argument('<backup>', 'the folder of the backup')
    .option(...worldFlag)
    .option(...objectsFlag)
    .addHelpText('after', '\nExample: espalier restore backups/monday --folder .espalier')
    .action(async (from: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BackupOptions>()
      const world = backedUpWorld(options, terminal, 'restore')
      const { restore } = await import('../../local/backup/back-up.ts')
      const line = await showLine(terminal)
      const sealed = await restore(from, world, line.update).finally(line.stop)
      const place = 'folder' in world ? shortPath(resolve(world.folder)) : 'The world'
      printResult(terminal, options, { place, ...sealed }, () => [
        `${place} has the ${sealed.objects} objects and ${sealed.items} items of the backup of ${sealed.made_at}.`,
        'Start its service: its runs resume from that moment.',
      ])
    })
}
