import type { Command } from 'commander'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { formatMethod, formatMethods } from '../format-methods.ts'
import type { GlobalOptions } from '../global-options.ts'
import { isMethodFile } from '../method-file.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'
import { addValidateMethodCommand } from './validate-method.ts'

type MethodsOptions = GlobalOptions & { prompts?: boolean }

export function addMethodsCommand(program: Command, terminal: Terminal): void {
  const methods = program
    .command('methods')
    .description('List the methods, or show one with its parameters and prompts; or check one.')
    .addHelpText('after', '\nExample: espalier methods mcts --prompts')
  addList(methods, terminal)
  addValidateMethodCommand(methods, terminal)
}

function addList(methods: Command, terminal: Terminal): void {
  methods
    .command('show', { isDefault: true })
    .description('List the methods, or show one with its parameters and prompts.')
    .argument('[method]', 'one of them, or a file that exports some, such as ./greedy.ts')
    .option('--prompts', 'show its prompts in full')
    .addHelpText('after', '\nExample: espalier methods show mcts --prompts')
    .action(async (method: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<MethodsOptions>()
      const shown = { width: terminal.columns, prompts: options.prompts === true }
      if (method === undefined && options.prompts) {
        throw wrongUsage('--prompts of which method? `espalier methods` lists them.')
      }
      if (isMethodFile(method)) {
        const infos = await describeFile(method)
        const value = infos.length === 1 ? infos[0] : infos
        printResult(terminal, options, value, () => infos.flatMap((info) => formatMethod(info, shown)))
        return
      }
      await lookAt(options, terminal, async ({ client }) => {
        if (method === undefined) {
          const list = await client.methods()
          printResult(terminal, options, list, () => formatMethods(list.data, terminal.columns))
          return
        }
        const info = await client.method(method)
        printResult(terminal, options, info, () => formatMethod(info, shown))
      })
    })
}

async function describeFile(named: string) {
  const { resolve } = await import('node:path')
  const { loadMethodModule } = await import('../../shared/play/methods/added/load-method-module.ts')
  const { describeMethod } = await import('../../shared/play/methods/describe-method.ts')
  const { digest, methods } = await loadMethodModule(resolve(named), named)
  return methods.map((method) => describeMethod(method, { file: named, digest }))
}
