import { type Command, InvalidArgumentError } from 'commander'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { choiceOption } from '../choice-option.ts'
import { CommandError } from '../command-error.ts'
import type { DevFlags } from '../dev/dev-stages.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'

type DevOptions = GlobalOptions & DevFlags & { once?: boolean }

export function addDevCommand(program: Command, terminal: Terminal): void {
  program
    .command('dev')
    .description('Check your environment or method and play an episode of it, again after each change.')
    .argument('<file>', 'a Python file or a module, such as ./env.py or ./greedy.ts')
    .addOption(
      choiceOption('--kind <kind>', 'content of the file (default: as its text says)', [
        'environment',
        'method',
      ]),
    )
    .option('--environment <id>', 'environment that a method plays, or the file of one', exampleEnvironment)
    .option('--method <id>', 'method that plays an environment, or the file of one', 'react')
    .option('--steps <n>', 'maximum number of steps in a trajectory of the checks', parseSteps, 6)
    .option('--once', 'check and play once; the exit code is 1 if something is wrong')
    .addHelpText(
      'after',
      [
        '',
        'Example: espalier dev ./env.py',
        '         espalier dev ./greedy.py --environment ./env.py',
        'The simulated model plays. Runs and checks leave nothing in the data folder.',
      ].join('\n'),
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DevOptions>()
      const { devCycle, watchFile } = await import('../dev/dev-cycle.ts')
      const signal = terminal.interruption()
      const cycle = () => devCycle(file, options, terminal, signal)
      if (!options.once) return watchFile(file, cycle, terminal, signal)
      const failed = await cycle()
      if (failed === null) return
      throw new CommandError('not_valid', `${file}: ${failed} failed.`, 1, { isPrinted: true })
    })
}

function parseSteps(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 1000) return count
  throw new InvalidArgumentError('It takes a whole number from 1 to 1000.')
}
