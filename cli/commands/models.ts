import type { Command } from 'commander'
import type { EndpointInfo } from '../../shared/contracts/catalogue.ts'
import { lookAt } from '../connect.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addModelsCommand(program: Command, terminal: Terminal): void {
  program
    .command('models')
    .description('List the configured endpoints, and what is missing where one is not ready.')
    .addHelpText('after', '\nExample: espalier models')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.models()
        printResult(terminal, options, list, () => formatEndpoints(list.data, terminal.columns))
      })
    })
}

function formatEndpoints(endpoints: EndpointInfo[], width: number): string[] {
  return formatTable(
    [
      { header: 'endpoint' },
      { header: 'kind' },
      { header: 'ready' },
      { header: 'prices' },
      { header: 'models with prices, or what is missing', flexible: true },
    ],
    endpoints.map((endpoint) => [
      endpoint.id,
      endpoint.kind,
      endpoint.ready ? 'yes' : 'no',
      endpoint.priced ? 'yes' : 'no',
      endpoint.note ?? endpoint.models.join(', '),
    ]),
    width,
  )
}
