import { type Command, Option } from 'commander'
import { wrongUsage } from './command-error.ts'

/** What every command takes. */
export interface GlobalOptions {
  /** The data folder. */
  folder: string
  /** The address of a service, where the command is not for the data folder. */
  service?: string
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
      new Option('--service <url>', 'a running service, instead of the data folder')
        .env('ESPALIER_URL')
        .argParser(parseServiceAddress),
    )
    .option('--json', 'JSON on standard output; what is for people goes to standard error')
}

/** `http://host:port` out of what a user writes, `localhost:8080` included. */
export function parseServiceAddress(text: string): string {
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) throw wrongUsage(`"${text}" is not the address of a service.`)
  return new URL(address).href
}
