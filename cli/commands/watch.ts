import type { Command } from 'commander'
import { withConnection } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'
import { watchRun } from '../watch-run.ts'

export function addWatchCommand(program: Command, terminal: Terminal): void {
  program
    .command('watch')
    .description(
      'Watch a run until it ends, then print its report. Continues a run that a stopped process left.',
    )
    .argument('<run>', 'the run: its id, or latest')
    .addHelpText('after', '\nExample: espalier watch run-0123')
    .action(async (run: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withConnection(options, terminal, (connection) => watchRun(connection, run, options, terminal))
    })
}
