import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addTrainersCommand(program: Command, terminal: Terminal): void {
  const trainers = program
    .command('trainers')
    .description('List trainers: this machine, and the commands and fine-tuning services of trainers.json.')
    .addHelpText('after', '\nExample: espalier trainers install')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.trainers()
        printResult(terminal, options, list, () =>
          list.data.map(({ id, description, recipes }) => `${id}  ${description}  ${recipes.join(', ')}`),
        )
      })
    })
  trainers
    .command('install')
    .description(
      'Install TRL and its dependencies on this machine, in a virtual environment (some gigabytes).',
    )
    .addHelpText('after', '\nExample: espalier trainers install')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const { installPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
      const { trainerPackages } = await import('../../shared/learn/trainings/local/local-trainer.ts')
      const made = await installPythonEnvironment(trainerPackages(terminal.environment), (line) =>
        terminal.note(line),
      )
      printResult(terminal, options, made, () => [`Installed: ${made.python}`])
    })
  trainers
    .command('doctor')
    .description('Check that this machine can train, and name its accelerator.')
    .addHelpText('after', '\nExample: espalier trainers doctor')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const { examineTrainer } = await import('../checks/examine-trainer.ts')
      const found = await examineTrainer(terminal.environment)
      printResult(terminal, options, found, () => [
        `python       ${found.python ?? 'not installed: espalier trainers install'}`,
        ...Object.entries(found.packages).map(([name, version]) => `${name.padEnd(12)} ${version}`),
        `devices      ${found.gpus.length === 0 ? 'none but the CPU' : found.gpus.join(', ')}`,
      ])
    })
}
