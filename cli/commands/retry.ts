import type { Command } from 'commander'
import { changeRun, type DetachFlag, detachOption } from '../change-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'

export function addRetryCommand(program: Command, terminal: Terminal): void {
  program
    .command('retry')
    .description('Play the errored episodes of an ended run again.')
    .argument('<run>', 'the run: its id, or latest')
    .option(...detachOption)
    .addHelpText('after', '\nExample: espalier retry run-0123')
    .action(async (run: string, _: unknown, command: Command) => {
      await changeRun('retry', run, {
        options: command.optsWithGlobals<GlobalOptions & DetachFlag>(),
        terminal,
      })
    })
}
