import { defaultFolder, type GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

/** The command line that does something next, as this user types it: through npm, where npm started this one. */
export function nextCommand(terminal: Terminal, options: GlobalOptions, words: string): string {
  const name = terminal.environment.npm_lifecycle_event === undefined ? 'espalier' : 'npm run -s espalier --'
  const place =
    options.service !== undefined
      ? ` --service ${options.service}`
      : options.folder === defaultFolder
        ? ''
        : ` --folder ${options.folder}`
  const tenant = options.tenant === undefined ? '' : ` --tenant ${options.tenant}`
  return `${name} ${words}${place}${tenant}`
}
