import { type Command, InvalidArgumentError, Option } from 'commander'
import { tenantPattern } from '../shared/contracts/tenant-pattern.ts'
import { wrongUsage } from './command-error.ts'

/** What every command takes. */
export interface GlobalOptions {
  /** The data folder. */
  folder: string
  /** The address of a service, where the command is not for the data folder. */
  service?: string
  /** The API key for that service. */
  apiKey?: string
  /** The tenant, where the data folder's holder asks; a service takes it from the key. */
  tenant?: string
  /** JSON on standard output. */
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
      new Option('--api-key <key>', 'the API key for --service; better by the environment').env(
        'ESPALIER_API_KEY',
      ),
    )
    .option(
      '--tenant <name>',
      'whose runs, datasets, keys and limits, in the data folder (default: default)',
      parseTenant,
    )
    .option('--json', 'JSON on standard output; what is for people goes to standard error')
}

/**
 * Decides between the data folder and a service: a flag beats the environment, and a service of the environment beats
 * a folder of the environment.
 *
 * @throws CommandError for both flags, and for an address that is none
 */
export function choosePlace(program: Command): void {
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

/** `http://host:port` out of what a user writes, `localhost:8080` included. */
export function parseServiceAddress(text: string): string {
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) throw wrongUsage(`"${text}" is not the address of a service.`)
  return new URL(address).href
}
