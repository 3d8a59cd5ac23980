import type { RunAction } from '../shared/client/play-calls.ts'
import type { ExtendRequest, ResumeRequest } from '../shared/contracts/run.ts'
import { withConnection } from './connect.ts'
import { formatRun } from './format-run.ts'
import type { GlobalOptions } from './global-options.ts'
import { printResult } from './print-result.ts'
import type { Terminal } from './terminal.ts'
import { watchRun } from './watch-run.ts'

/** The caps that `resume` and `extend` take. */
export interface CapFlags {
  maxCost?: number
  maxTokens?: number
  maxTime?: number
}

/**
 * Changes the state of a run and prints it. A change that sets it going again is watched when the service lives in this
 * process, where the run would stop with the command.
 */
export async function changeRun(
  change: RunAction,
  id: string,
  needs: { options: GlobalOptions; terminal: Terminal; body?: ResumeRequest | ExtendRequest },
): Promise<void> {
  const { options, terminal, body } = needs
  await withConnection(options, terminal, async (connection) => {
    const run = await connection.client.changeRun(id, change, body)
    const goesOn = run.status === 'running' || run.status === 'queued'
    if (connection.embedded && goesOn) await watchRun(connection, id, options, terminal)
    else printResult(terminal, options, run, () => formatRun(run, terminal.columns))
  })
}

/** `limits` of a resume or extend request, absent without flags. */
export function toLimits(flags: CapFlags): Pick<ResumeRequest, 'limits'> {
  const limits = {
    ...(flags.maxCost === undefined ? {} : { cost: flags.maxCost }),
    ...(flags.maxTokens === undefined ? {} : { tokens: flags.maxTokens }),
    ...(flags.maxTime === undefined ? {} : { time: flags.maxTime }),
  }
  return Object.keys(limits).length > 0 ? { limits } : {}
}
