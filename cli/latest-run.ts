import type { Command } from 'commander'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

export const latestRun = 'latest'

/**
 * Replaces `latest` among a command's run arguments with the newest run's id, and prints a note.
 * @throws EspalierError `not_found` if there is no run
 */
export async function nameLatestRun(command: Command, terminal: Terminal): Promise<void> {
  const isNamed = command.registeredArguments.some(
    (argument, at) => argument.name() === 'run' && runsAt(command, at).includes(latestRun),
  )
  if (!isNamed) return
  const newest = await findNewest(command.optsWithGlobals<GlobalOptions>(), terminal)
  const replaced = (run: unknown) => (run === latestRun ? newest : run)
  for (const [at, argument] of command.registeredArguments.entries()) {
    if (argument.name() !== 'run') continue
    const given = command.processedArgs[at]
    command.processedArgs[at] = Array.isArray(given) ? given.map(replaced) : replaced(given)
  }
  terminal.note(`${latestRun} is ${newest}.`)
}

function runsAt(command: Command, at: number): unknown[] {
  const given = command.processedArgs[at]
  return Array.isArray(given) ? given : [given]
}

async function findNewest(options: GlobalOptions, terminal: Terminal): Promise<string> {
  // Imported here, so that `--help` does not load it.
  const { lookAt } = await import('./connect.ts')
  const [newest] = await lookAt(
    options,
    terminal,
    async ({ client }) => (await client.runs({ limit: 1 })).data,
  )
  if (newest !== undefined) return newest.id
  throw new EspalierError(
    'not_found',
    'There is no run yet, so none is the latest. Start one: espalier run --help',
    { param: 'run' },
  )
}
