import type { Command } from 'commander'
import { changeRun } from '../change-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'

export function addCancelCommand(program: Command, terminal: Terminal): void {
  program
    .command('cancel')
    .description('End a run permanently. Episodes that have ended keep their results.')
    .argument('<run>', 'the run: its id, or latest')
    .addHelpText('after', '\nExample: espalier cancel run-0123')
    .action(async (run: string, _: unknown, command: Command) => {
      await changeRun('cancel', run, { options: command.optsWithGlobals<GlobalOptions>(), terminal })
    })
}
