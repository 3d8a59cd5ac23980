import type { Command } from 'commander'
import { type CapFlags, changeRun, type DetachFlag, detachOption, toLimits } from '../change-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import type { Terminal } from '../terminal.ts'

export function addResumeCommand(program: Command, terminal: Terminal): void {
  program
    .command('resume')
    .description('Resume a paused run, with new caps if you give some.')
    .argument('<run>', 'the run: its id, or latest')
    .option('--max-cost <dollars>', 'new cap on the cost', parseNumber)
    .option('--max-tokens <n>', 'new cap on the tokens', parseNumber)
    .option('--max-time <seconds>', 'new cap on the running time', parseNumber)
    .option(...detachOption)
    .addHelpText('after', '\nExample: espalier resume run-0123 --max-cost 10')
    .action(async (run: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & CapFlags & DetachFlag>()
      await changeRun('resume', run, { options, terminal, body: toLimits(options) })
    })
}
