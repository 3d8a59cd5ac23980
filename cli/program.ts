import { Command } from 'commander'
import packageFacts from '../package.json' with { type: 'json' }
import { addGlobalOptions, chooseFolderOrService } from './global-options.ts'
import { nameLatestRun } from './latest-run.ts'
import { type ListedCommand, listedCommands } from './listed-commands.ts'
import type { Terminal } from './terminal.ts'

/**
 * Builds the command line over a terminal. Usage errors are thrown instead of exiting.
 * @param words The command line. Only the called command's module is loaded. Every other command is a name and a
 * summary for the help. Without words, every module is loaded.
 */
export async function buildProgram(terminal: Terminal, words?: readonly string[]): Promise<Command> {
  const program = emptyProgram(terminal)
    .description(packageFacts.description)
    .version(packageFacts.version)
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: Number.isFinite(terminal.columns) ? terminal.columns : usualWidth,
    })
    .addHelpText(
      'after',
      '\nWherever a command takes a run, `latest` is the newest one.\nExample: espalier quickstart',
    )
    .hook('preAction', chooseFolderOrService)
    .hook('preAction', (_, command) => nameLatestRun(command, terminal))
  const called = words === undefined ? null : calledCommand(words, terminal)
  for (const [group, commands] of Object.entries(listedCommands)) {
    program.commandsGroup(group)
    for (const listed of commands) {
      const isLoaded = called === null || called === listed.name
      if (isLoaded) (await listed.load())(program, terminal)
      else listOnly(program, listed)
    }
  }
  return program
}

const usualWidth = 110

function emptyProgram(terminal: Terminal): Command {
  const program = new Command('espalier')
    .exitOverride()
    .showHelpAfterError('Add --help to see what the command takes.')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
  addGlobalOptions(program)
  return program
}

function calledCommand(words: readonly string[], terminal: Terminal): string {
  // Global options may precede the command, with values of their own.
  const { operands } = emptyProgram(terminal).parseOptions([...words])
  const [first = '', second = ''] = operands
  return first === 'help' ? second : first
}

function listOnly(program: Command, { name, takes, summary }: ListedCommand): void {
  const command = program.command(name).summary(summary)
  if (takes !== '') command.arguments(takes)
}
