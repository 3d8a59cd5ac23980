import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

const desktops: ReadonlySet<string> = new Set(['desktop', 'osworld'])

export function addInstallCommand(environments: Command, terminal: Terminal): void {
  environments
    .command('install')
    .description(
      'Install the Python packages of desktop and osworld, or of an environment of the kind browsergym or osworld, in an environment of their own (300 MB and more).',
    )
    .argument('<environment>', 'desktop, osworld, or an id in environments.json')
    .addHelpText(
      'after',
      '\nExamples:\n  espalier environments install desktop\n  espalier environments install gym-miniwob',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const folder = resolve(options.folder)
      const made = desktops.has(id) ? await installDesktop(terminal) : await install(id, folder, terminal)
      printResult(terminal, options, made, () => [`Installed: ${made.python}`])
    })
}

/** @throws CommandError if Debian programs are missing, which only root can install */
async function installDesktop(terminal: Terminal) {
  const { findMissingPrograms } = await import('../../shared/environments/desktop/debian-programs.ts')
  const { desktopSessionPackages } = await import('../../shared/environments/desktop/python-packages.ts')
  const { installPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
  const { install: line } = await findMissingPrograms()
  if (line !== null) {
    const message = `Desktops need programs of Debian's that are not here. Install them as root, and run this again:\n  ${line}`
    throw new CommandError('not_supported', message, 1)
  }
  await installPythonEnvironment(desktopSessionPackages(terminal.environment), (text) => terminal.note(text))
  return installScoring(terminal)
}

async function installScoring(terminal: Terminal) {
  const { desktopScoringPackages } = await import('../../shared/environments/desktop/python-packages.ts')
  const { installPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
  const wanted = desktopScoringPackages(terminal.environment)
  return installPythonEnvironment(wanted, (text) => terminal.note(text))
}

async function install(id: string, folder: string, terminal: Terminal) {
  const { readEnvironmentsFile } = await import('../../shared/environments/added/read-environments-file.ts')
  const added = await readEnvironmentsFile(join(folder, 'environments.json'), [])
  const entry = added.get(id)
  if (entry?.kind === 'osworld') return installScoring(terminal)
  if (entry?.kind !== 'browsergym') {
    const those = [...added]
      .filter(([, { kind }]) => kind === 'browsergym' || kind === 'osworld')
      .map(([known]) => known)
    const what = `${join(folder, 'environments.json')} has no environment of the kind browsergym or osworld named`
    throw wrongUsage(unknownName(what, id, those))
  }
  const { installPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
  const { browsergymPackages } = await import('../../shared/environments/browsergym/list-tasks.ts')
  return installPythonEnvironment(browsergymPackages(entry, folder, terminal.environment), (line) =>
    terminal.note(line),
  )
}
