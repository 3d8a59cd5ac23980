import type { Run } from '../shared/core/contracts/run.ts'
import { nextCommand } from './command-name.ts'
import type { Connection } from './connect.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

/**
 * Notes the runs that an ended process left unfinished, where the client looks through an embedded service: that one
 * holds the folder, and plays nothing.
 */
export function noteUnplayed(
  { embedded }: Pick<Connection, 'embedded'>,
  runs: readonly Pick<Run, 'id' | 'status'>[],
  options: GlobalOptions,
  terminal: Terminal,
): void {
  const open = runs.filter(({ status }) => status === 'queued' || status === 'running')
  const [first] = open
  if (first === undefined || !embedded) return
  const next = nextCommand(terminal, options, `watch ${open.length === 1 ? first.id : 'RUN'}`)
  terminal.note(`No service plays ${open.map(({ id }) => id).join(', ')} now. Continue with: ${next}`)
}
