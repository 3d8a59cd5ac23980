import { defaultFolder, type GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

export function nextCommand(terminal: Terminal, options: GlobalOptions, words: string): string {
  const place =
    options.service !== undefined
      ? ` --service ${options.service}`
      : options.folder === defaultFolder
        ? ''
        : ` --folder ${options.folder}`
  const tenant = options.tenant === undefined ? '' : ` --tenant ${options.tenant}`
  return `${commandName(terminal.environment)} ${words}${place}${tenant}`
}

function commandName(environment: Terminal['environment']): string {
  const { npm_lifecycle_event: script, npm_package_name: name } = environment
  if (script === undefined) return 'espalier'
  return script === 'npx' || name !== 'espalier' ? 'npx espalier' : 'npm run -s espalier --'
}
