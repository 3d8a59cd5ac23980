import type { Command } from 'commander'
import { changeRun } from '../change-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'

export function addPauseCommand(program: Command, terminal: Terminal): void {
  program
    .command('pause')
    .description('Pause a run. It can be resumed.')
    .argument('<run>', 'the run: its id, or latest')
    .addHelpText('after', '\nExample: espalier pause run-0123')
    .action(async (run: string, _: unknown, command: Command) => {
      await changeRun('pause', run, { options: command.optsWithGlobals<GlobalOptions>(), terminal })
    })
}
