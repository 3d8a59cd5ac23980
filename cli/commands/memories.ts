import type { Command } from 'commander'
import { lookAt } from '../connect.ts'
import { formatLearned, formatNotes, formatOrigin } from '../format-learned.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type MemoriesOptions = GlobalOptions & { limit: number; after?: string }

export function addMemoriesCommand(program: Command, terminal: Terminal): void {
  program
    .command('memories')
    .description('List memories, newest first, or the notes of one.')
    .argument('[memory]', 'a memory')
    .option('--limit <n>', 'maximum number of memories, or of notes of one', parseNumber, 20)
    .option('--after <id>', 'only items after this one in the list')
    .addHelpText('after', '\nExample: espalier memories mem-0123')
    .action(async (memory: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<MemoriesOptions>()
      const query = { limit: options.limit, after: options.after }
      await lookAt(options, terminal, async ({ client }) => {
        if (memory === undefined) {
          const list = await client.memories(query)
          printResult(terminal, options, list, () => formatLearned(list.data, terminal.columns))
          if (list.has_more) terminal.note(`There are more: espalier memories --after ${list.last_id}`)
          return
        }
        const found = await client.memory(memory)
        const notes = await client.notes(memory, query)
        printResult(terminal, options, { ...found, note_list: notes }, () => [
          formatOrigin(found),
          ...formatNotes(notes.data, terminal.columns),
        ])
        if (notes.has_more) {
          terminal.note(`There are more: espalier memories ${memory} --after '${notes.last_id}'`)
        }
      })
    })
}
