import type { Command } from 'commander'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { formatMethod, formatMethods } from '../format-methods.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

type MethodsOptions = GlobalOptions & { prompts?: boolean }

export function addMethodsCommand(program: Command, terminal: Terminal): void {
  program
    .command('methods')
    .description('List the methods, or show one with its parameters and prompts.')
    .argument('[method]', 'one of them')
    .option('--prompts', 'show its prompts in full')
    .addHelpText('after', '\nExample: espalier methods mcts --prompts')
    .action(async (method: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<MethodsOptions>()
      if (method === undefined && options.prompts) {
        throw wrongUsage('--prompts of which method? `espalier methods` lists them.')
      }
      await lookAt(options, terminal, async ({ client }) => {
        if (method === undefined) {
          const list = await client.methods()
          printResult(terminal, options, list, () => formatMethods(list.data, terminal.columns))
          return
        }
        const info = await client.method(method)
        printResult(terminal, options, info, () =>
          formatMethod(info, { width: terminal.columns, prompts: options.prompts === true }),
        )
      })
    })
}
