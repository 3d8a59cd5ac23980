import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { wrongUsage } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addInstallCommand(environments: Command, terminal: Terminal): void {
  environments
    .command('install')
    .description(
      'Install the Python packages of an environment of the kind browsergym, in an environment of its own (some 300 MB).',
    )
    .argument('<environment>', 'its id in environments.json')
    .addHelpText('after', '\nExample: espalier environments install gym-miniwob')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const folder = resolve(options.folder)
      const made = await install(id, folder, terminal)
      printResult(terminal, options, made, () => [`Installed: ${made.python}`])
    })
}

async function install(id: string, folder: string, terminal: Terminal) {
  const { readEnvironmentsFile } = await import('../../shared/environments/added/read-environments-file.ts')
  const added = await readEnvironmentsFile(join(folder, 'environments.json'), [])
  const entry = added.get(id)
  if (entry?.kind !== 'browsergym') {
    const those = [...added].filter(([, { kind }]) => kind === 'browsergym').map(([known]) => known)
    const choices = those.length === 0 ? 'It adds none.' : `These are: ${those.join(', ')}.`
    throw wrongUsage(
      `"${id}" is no environment of the kind browsergym in ${join(folder, 'environments.json')}. ${choices}`,
    )
  }
  const { installPythonEnvironment } = await import('../../shared/python/python-environment.ts')
  const { browsergymPackages } = await import('../../shared/environments/browsergym/list-tasks.ts')
  return installPythonEnvironment(browsergymPackages(entry, folder, terminal.environment), (line) =>
    terminal.note(line),
  )
}
