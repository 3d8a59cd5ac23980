import type { RunAction } from '../shared/core/client/play-calls.ts'
import type { ExtendRequest, ResumeRequest } from '../shared/core/contracts/run.ts'
import { type CommandError, wrongUsage } from './command-error.ts'
import { withConnection } from './connect.ts'
import { noteCaps } from './describe-caps.ts'
import { formatRun } from './format-run.ts'
import type { GlobalOptions } from './global-options.ts'
import { printResult } from './print-result.ts'
import type { Terminal } from './terminal.ts'
import { watchRun } from './watch-run.ts'

const goingOn: ReadonlySet<RunAction> = new Set(['resume', 'extend', 'retry'])

export interface DetachFlag {
  detach?: boolean
}

export const detachOption = ['--detach', 'return at once; needs a running service'] as const

export function detachNeedsService(what: 'run' | 'loop' | 'training' = 'run'): CommandError {
  return wrongUsage(
    `With --detach the ${what} needs a service that stays: start \`espalier serve\` first, or leave --detach out.`,
  )
}

export interface CapFlags {
  maxCost?: number
  maxTokens?: number
  maxTime?: number
}

export async function changeRun(
  change: RunAction,
  id: string,
  needs: {
    options: GlobalOptions & DetachFlag
    terminal: Terminal
    body?: ResumeRequest | ExtendRequest
  },
): Promise<void> {
  const { options, terminal, body } = needs
  await withConnection(options, terminal, async (connection) => {
    if (options.detach && connection.embedded) throw detachNeedsService()
    const run = await connection.client.changeRun(id, change, body)
    const goesOn = run.status === 'running' || run.status === 'queued'
    if (goesOn && !options.detach && goingOn.has(change)) {
      await noteCaps(connection.client, run, terminal)
      await watchRun(connection, id, options, terminal)
    } else printResult(terminal, options, run, () => formatRun(run, terminal.columns))
  })
}

export function toLimits(flags: CapFlags): Pick<ResumeRequest, 'limits'> {
  const limits = {
    ...(flags.maxCost === undefined ? {} : { cost: flags.maxCost }),
    ...(flags.maxTokens === undefined ? {} : { tokens: flags.maxTokens }),
    ...(flags.maxTime === undefined ? {} : { time: flags.maxTime }),
  }
  return Object.keys(limits).length > 0 ? { limits } : {}
}
