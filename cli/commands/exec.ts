import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { importingOwnPackage } from '../../shared/core/programs/own-package.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { isModuleFile } from '../environment-file.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'

export function addExecCommand(program: Command, terminal: Terminal): void {
  program
    .command('exec')
    .description('Run your script, which may import espalier/client from any folder without an installation.')
    .argument('<file>', 'a TypeScript or JavaScript file')
    .argument('[words...]', 'arguments of the script; put those with dashes after --')
    .addHelpText('after', '\nExample: espalier exec ./client.ts http://127.0.0.1:8080')
    .action(async (file: string, words: string[], _: unknown, command: Command) => {
      const { service, apiKey } = command.optsWithGlobals<GlobalOptions>()
      if (!isModuleFile(file)) throw wrongUsage(`${file} is no script. It ends in .ts, .mts, .js or .mjs.`)
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
        throw wrongUsage(`There is no file ${file}.`)
      const env = {
        ...terminal.environment,
        ...(service !== undefined && { ESPALIER_URL: service }),
        ...(apiKey !== undefined && { ESPALIER_API_KEY: apiKey }),
      }
      const node = [...importingOwnPackage(), resolve(file), ...words]
      const script = spawn(process.execPath, node, { env, stdio: 'inherit' })
      // Ctrl-C reaches the script too, and its end decides.
      const signal = terminal.interruption()
      const stop = () => script.kill('SIGTERM')
      signal.addEventListener('abort', stop)
      const [code, ended] = await once(script, 'close')
      signal.removeEventListener('abort', stop)
      if (code !== 0)
        throw new CommandError('script_failed', `${file} ended with ${ended ?? `exit code ${code}`}.`)
    })
}
