import type { Run } from '../shared/core/contracts/run.ts'
import { CommandError, interrupted } from './command-error.ts'
import { nextCommand } from './command-name.ts'
import type { Connection } from './connect.ts'
import { followRun } from './follow-run.ts'
import { formatReport } from './format-report.ts'
import { leftBy } from './format-run.ts'
import type { GlobalOptions } from './global-options.ts'
import { showProgress } from './show-progress.ts'
import type { Terminal } from './terminal.ts'

/**
 * Watches a run to its end and prints its report; with `--json`, its events and then the run and the report as JSON
 * lines. Ctrl-C leaves the run as it is and prints the command that continues.
 * @throws CommandError exit code 1 unless the run succeeded
 */
export async function watchRun(
  connection: Connection,
  id: string,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const { client } = connection
  const progress = await showProgress(terminal, [id])
  let run: Run
  try {
    run = await followRun(client, id, {
      signal: terminal.interruption(),
      onProgress: (state) => progress.update(id, state),
      ...(options.json ? { onEvent: (event) => terminal.out(JSON.stringify(event)) } : {}),
    })
  } catch (error) {
    if (!terminal.interruption().aborted) throw error
    throw interrupted(howToGoOn(connection, id, options, terminal))
  } finally {
    progress.stop()
  }
  const report = await client.report(id)
  if (options.json) for (const value of [run, report]) terminal.out(JSON.stringify(value))
  else {
    terminal.out(formatReport(report, { width: terminal.columns }).join('\n'))
    if (run.ended_at !== null) await tellWhatIsLeft(connection, run, options, terminal)
  }
  checkEnd(run, nextCommand(terminal, options, `resume ${run.id}`))
}

async function tellWhatIsLeft(
  { client }: Connection,
  run: Run,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  for (const { id, command, setting } of leftBy(run)) {
    const { data } = await (command === 'memories' ? client.notes : client.actions)(id, { limit: 1 })
    if (data.length === 0) {
      terminal.note(`It learned nothing: ${id} is empty.`)
      continue
    }
    const look = nextCommand(terminal, options, `${command} ${id}`)
    terminal.note(`It learned ${id}: ${look}\nA later run begins with it: --set ${setting}=${id}`)
  }
}

function checkEnd(run: Run, resume: string): void {
  if (run.status === 'succeeded') return
  const reason = run.status_reason === null ? '' : `: ${run.status_reason.replace(/\.$/, '')}`
  const way =
    run.status === 'paused' ? ` Go on: ${resume} (--max-cost and its like set the run's own caps)` : ''
  throw new CommandError(`run_${run.status}`, `The run is ${run.status}${reason}.${way}`)
}

function howToGoOn(connection: Connection, id: string, options: GlobalOptions, terminal: Terminal): string {
  const watch = nextCommand(terminal, options, `watch ${id}`)
  return connection.embedded
    ? `Stopped. What is done is kept; the run goes on from there with: ${watch}`
    : `The run goes on at ${connection.client.address}. Watch it: ${watch}; stop it: ${nextCommand(terminal, options, `pause ${id}`)}`
}
