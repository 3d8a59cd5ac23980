import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import { formatActions, formatLearned, formatOrigin } from '../format-learned.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type LibrariesOptions = GlobalOptions & { limit: number; after?: string }

export function addLibrariesCommand(program: Command, terminal: Terminal): void {
  program
    .command('libraries')
    .description('List libraries of learned actions, newest first, or the actions of one.')
    .argument('[library]', 'a library')
    .option('--limit <n>', 'maximum number of libraries, or of actions of one', parseNumber, 20)
    .option('--after <id>', 'only items after this one in the list')
    .addHelpText('after', '\nExample: espalier libraries lib-0123')
    .action(async (library: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<LibrariesOptions>()
      const query = { limit: options.limit, after: options.after }
      await lookAt(options, terminal, async ({ client }) => {
        if (library === undefined) {
          const list = await client.libraries(query)
          printResult(terminal, options, list, () => formatLearned(list.data, terminal.columns))
          if (list.has_more) terminal.note(`There are more: espalier libraries --after ${list.last_id}`)
          return
        }
        const found = await client.library(library)
        const actions = await client.actions(library, query)
        printResult(terminal, options, { ...found, action_list: actions }, () => [
          formatOrigin(found),
          ...formatActions(actions.data, terminal.columns),
        ])
        if (actions.has_more) {
          terminal.note(`There are more: espalier libraries ${library} --after '${actions.last_id}'`)
        }
      })
    })
}
