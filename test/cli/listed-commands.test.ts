import { expect, it } from 'vitest'
import { listedCommands } from '../../cli/listed-commands.ts'
import { buildProgram } from '../../cli/program.ts'
import { loadedBy } from './loaded-modules.ts'
import { recordingTerminal } from './recording-terminal.ts'

/** The names of the commands, with a word for each argument. */
const argumentsOf = (program: Awaited<ReturnType<typeof buildProgram>>) =>
  program.commands.map((command) => [
    command.name(),
    command.registeredArguments.map((each) => `${each.required}${each.variadic}${each.name()}`),
  ])

it('lists every command with the arguments that its module reads', async () => {
  const listed = await buildProgram(recordingTerminal(), ['--help'])
  const loaded = await buildProgram(recordingTerminal())
  expect(argumentsOf(listed)).toEqual(argumentsOf(loaded))
})

it('has one line for each command', () => {
  for (const { summary } of Object.values(listedCommands).flat()) {
    expect(summary).toMatch(/^[A-Z][^\n]{9,69}\.$/)
  }
})

it('prints the list without loading a command or a package other than commander', async () => {
  const loaded = await loadedBy(['--help'])
  expect(loaded).toContain('cli/listed-commands.ts')
  expect(
    loaded.filter((path) => !/^(cli\/[\w-]+\.ts|node_modules\/commander\/.*)$/.test(path)).toSorted(),
  ).toEqual([
    'package.json',
    'shared/core/client/api-error.ts',
    'shared/core/client/connection-error.ts',
    'shared/core/contracts/errors.ts',
    'shared/core/contracts/tenant-pattern.ts',
    'shared/core/programs/cache-folder.ts',
    'shared/core/programs/hide-variables.ts',
    'shared/core/programs/program-variables.ts',
  ])
})

it.each([[['pause', '--help']], [['help', 'pause']], [['--tenant', 'acme', '--json', 'pause', '-h']]])(
  '%j loads the module of that command alone',
  async (words) => {
    const loaded = await loadedBy(words)
    expect(loaded.filter((path) => path.startsWith('cli/commands/'))).toEqual(['cli/commands/pause.ts'])
  },
)

it.each([
  [['cancl', 'run-1'], 'Did you mean cancel?'],
  [['--tenant', '-x', 'runs'], 'It takes 1 to 63 lower-case letters'],
])('%j is refused before any module is loaded, once', async (words, message) => {
  const terminal = recordingTerminal()
  const program = async () => (await buildProgram(terminal, words)).parseAsync(words, { from: 'user' })
  await expect(program()).rejects.toThrow()
  expect(terminal.notes.join('\n').split(message)).toHaveLength(2)
})
