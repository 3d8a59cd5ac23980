import type { Command } from 'commander'
import type { MethodInfo } from '../../shared/contracts/catalogue.ts'
import type { Json } from '../../shared/contracts/json.ts'
import { lookAt } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addMethodsCommand(program: Command, terminal: Terminal): void {
  program
    .command('methods')
    .description('List the methods with their parameters.')
    .addHelpText('after', '\nExample: espalier methods')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.methods()
        printResult(terminal, options, list, () => list.data.flatMap(describe))
      })
    })
}

function describe(method: MethodInfo): string[] {
  const { properties } = method.parameters
  const parameters = isObject(properties) ? Object.entries(properties) : []
  return [
    `${method.id}: ${method.description}`,
    `  source: ${method.source}`,
    ...parameters.map(([name, schema]) => `  --set ${name}=${describeParameter(schema)}`),
  ]
}

function describeParameter(schema: Json): string {
  if (!isObject(schema)) return '…'
  const fallback = schema.default === undefined ? '…' : JSON.stringify(schema.default)
  return typeof schema.description === 'string' ? `${fallback}  ${schema.description}` : fallback
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
