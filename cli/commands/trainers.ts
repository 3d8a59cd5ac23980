import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

/** PyTorch's own index of builds without CUDA. PyPI has none for Linux on x86-64. */
const cpuIndex = 'https://download.pytorch.org/whl/cpu'

/** Measured on Linux, x86-64: 5.3 GB, of which 3.4 GB are CUDA's libraries and Triton. */
const sizes = {
  gpu: 'PyTorch for GPUs, TRL and their dependencies: some 5.3 GB on disk',
  cpu: 'PyTorch for the CPU, as this machine has no GPU, TRL and their dependencies: some 1.9 GB on disk',
}

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
    .option('--python <path>', 'use this Python, which has the packages, and install nothing')
    .addHelpText('after', '\nExample: espalier trainers install')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { python?: string }>()
      if (options.python !== undefined) {
        const { setTrainerPython } = await import('../checks/own-trainer-python.ts')
        const packages = await setTrainerPython(options.folder, options.python)
        printResult(terminal, options, { python: options.python, packages }, () => [
          `The local trainer uses ${options.python}. A running service does so once it starts again.`,
        ])
        return
      }
      const { installPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
      const { trainerPackages } = await import('../../shared/learn/trainings/local/local-trainer.ts')
      const { findPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
      const { hasGpu } = await import('../../shared/learn/serving/gpu-drivers.ts')
      const onCpu = process.platform === 'linux' && process.arch === 'x64' && !(await hasGpu())
      const wanted = { ...trainerPackages(terminal.environment), ...(onCpu && { torchIndex: cpuIndex }) }
      const { isInstalled, python } = await findPythonEnvironment(wanted)
      if (!isInstalled) terminal.note(`Installs ${onCpu ? sizes.cpu : sizes.gpu}, at ${python}.`)
      const made = await installPythonEnvironment(wanted, (line) => terminal.note(line))
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
