import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { wrongUsage } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addInstallCommand(environments: Command, terminal: Terminal): void {
  environments
    .command('install')
    .description(
      "Install an environment's Python packages, such as those of desktops and gyms, in a separate virtual environment (300 MB and more).",
    )
    .argument('<environment>', 'id of the environment, also one in environments.json')
    .addHelpText(
      'after',
      '\nExamples:\n  espalier environments install desktop\n  espalier environments install my-gym',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const made = await install(id, resolve(options.folder), terminal)
      printResult(terminal, options, made, () => [`Installed: ${made.python}`])
    })
}

async function install(id: string, folder: string, terminal: Terminal): Promise<{ python: string }> {
  const { installPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
  let python = ''
  for (const wanted of await findPackages(id, join(folder, 'environments.json'), terminal.environment)) {
    python = (await installPythonEnvironment(wanted, (line) => terminal.note(line))).python
  }
  return { python }
}

/** @throws CommandError for an environment without packages of its own */
async function findPackages(id: string, path: string, variables: NodeJS.ProcessEnv) {
  const [{ definitions }, { readEnvironmentsFile }, { defineAddedEnvironment }] = await Promise.all([
    import('../../shared/environments/environments.ts'),
    import('../../shared/environments/added/read-environments-file.ts'),
    import('../../shared/environments/added/load-added-environments.ts'),
  ])
  const own = definitions.find((definition) => definition.id === id)
  const added = await readEnvironmentsFile(path, [])
  const entry = added.get(id)
  const definition = own ?? (entry && (await defineAddedEnvironment(id, entry, path)))
  const packages = await definition?.packages?.(variables)
  if (packages !== undefined) return packages
  const others = [...definitions.filter((each) => each.packages).map((each) => each.id), ...added.keys()]
  const which = `Neither Espalier nor ${path} has an environment with Python packages of its own named`
  throw wrongUsage(
    unknownName(
      which,
      id,
      others.filter((other) => other !== id),
    ),
  )
}
