import type { Command } from 'commander'
import type { MethodInfo } from '../../shared/core/contracts/catalogue.ts'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { wrap } from '../fit-text.ts'
import { describeParameters, hang, listParameters } from '../format-parameters.ts'
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
    .argument('[method]', 'a method, or a file that exports some, such as ./greedy.ts')
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

function formatMethods(methods: MethodInfo[], width: number): string[] {
  const lines = methods.flatMap(({ id, description, module, parameters }) => [
    ...hang(`${id}: ${description}${module ? ` (${module.file})` : ''}`, { width, by: 2 }),
    ...listParameters(parameters, width),
  ])
  return [
    ...lines,
    '',
    ...wrap('What a parameter or a prompt of a method is: espalier methods METHOD', width),
  ]
}

export function formatMethod(method: MethodInfo, options: { width: number; prompts: boolean }): string[] {
  const { branches, description, id, module, prompts, roles, source, writes } = method
  const { width } = options
  const facts = [
    `source: ${source}`,
    ...(module ? [`added from ${module.file}, version ${module.digest}`] : []),
    ...(roles.length > 0
      ? [`asks beside the policy, as parameters decide: ${roles.join(', ')} (--role)`]
      : []),
    ...(writes === null ? [] : [`learns between tasks: its runs leave a ${writes} for later ones`]),
    ...(branches ? ['goes back to earlier states, which not every environment can'] : []),
  ]
  return [
    ...hang(`${id}: ${description}`, { width, by: 2 }),
    ...facts.flatMap((fact) => hang(`  ${fact}`, { width, by: 4 })),
    ...describeParameters(method.parameters, width),
    '',
    ...hang('Prompts, each of which a run can replace: --prompt id=@file', { width, by: 2 }),
    ...prompts.flatMap((prompt) => [
      ...(options.prompts ? [''] : []),
      ...hang(`  ${prompt.id}: ${prompt.purpose}`, { width, by: 6 }),
      ...(options.prompts ? prompt.text.split('\n').map((line) => `    ${line}`.trimEnd()) : []),
    ]),
  ]
}
