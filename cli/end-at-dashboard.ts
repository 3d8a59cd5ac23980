import { nextCommand } from './command-name.ts'
import type { Connection } from './connect.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'
import { untilInterrupted } from './until-interrupted.ts'

export const usualPort = 8080

export function staysOpen(options: GlobalOptions & { serve: boolean }, terminal: Terminal): boolean {
  return options.serve && !options.json && terminal.isInteractive
}

export async function endAtDashboard(
  connection: Connection,
  options: GlobalOptions & { serve: boolean },
  terminal: Terminal,
): Promise<void> {
  const shows = terminal.paint('bold', 'The dashboard shows these runs')
  const runsAt = (address: string) => new URL('/runs', address).href
  if (!connection.embedded) return terminal.out(`\n${shows}: ${runsAt(connection.address)}`)
  if (!staysOpen(options, terminal)) {
    const command = nextCommand(terminal, options, 'serve')
    return terminal.out(`\n${shows}: ${command}\n  then open ${runsAt(`http://127.0.0.1:${usualPort}`)}`)
  }
  terminal.out(`\n${shows}: ${runsAt(connection.address)}   (Ctrl-C ends it)`)
  await untilInterrupted(terminal)
}
