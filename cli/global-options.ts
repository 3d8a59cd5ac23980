import { type Command, InvalidArgumentError, Option } from 'commander'
import { tenantPattern } from '../shared/core/contracts/tenant-pattern.ts'
import { wrongUsage } from './command-error.ts'

export interface GlobalOptions {
  folder: string
  service?: string
  apiKey?: string
  tenant?: string
  json?: boolean
}

export const defaultFolder = '.espalier'

export function addGlobalOptions(program: Command): void {
  program
    .addOption(
      new Option('--folder <folder>', 'the data folder').default(defaultFolder).env('ESPALIER_FOLDER'),
    )
    .addOption(
      new Option('--service <url>', 'a running service, instead of the data folder').env('ESPALIER_URL'),
    )
    .addOption(
      new Option('--api-key <key>', 'the API key for --service; prefer the environment variable').env(
        'ESPALIER_API_KEY',
      ),
    )
    .option(
      '--tenant <name>',
      'the tenant that owns the runs, datasets, keys and limits, in the data folder (default: default)',
      parseTenant,
    )
    .option('--json', 'JSON on standard output; messages for people on standard error')
}

/**
 * Chooses the data folder or a service: a flag overrides the environment, and the environment's service overrides its
 * folder.
 * @throws CommandError for both flags, and for an invalid address
 */
export function chooseFolderOrService(program: Command): void {
  const service = program.getOptionValue('service') as string | undefined
  if (service === undefined) return
  const isFolderNamed = program.getOptionValueSource('folder') === 'cli'
  const isServiceNamed = program.getOptionValueSource('service') === 'cli'
  if (isFolderNamed && isServiceNamed) {
    throw wrongUsage('--folder and --service are two places: leave one out.')
  }
  const source = program.getOptionValueSource('service')
  program.setOptionValueWithSource(
    'service',
    isFolderNamed ? undefined : parseServiceAddress(service),
    isFolderNamed ? 'implied' : source,
  )
}

function parseTenant(name: string): string {
  if (tenantPattern.test(name)) return name
  throw new InvalidArgumentError(
    'It takes 1 to 63 lower-case letters, digits and hyphens, a hyphen never first.',
  )
}

export function parseServiceAddress(text: string): string {
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) throw wrongUsage(`"${text}" is not the address of a service.`)
  return new URL(address).href
}
