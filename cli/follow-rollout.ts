import type { RolloutRun } from '../shared/core/contracts/rollout.ts'
import { CommandError, interrupted } from './command-error.ts'
import { nextCommand } from './command-name.ts'
import type { Connection } from './connect.ts'
import { formatGroup, formatRollout } from './format-rollout.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

/**
 * Prints the groups of a rollout as they end, then the rollout; with `--json`, its events and then the rollout as JSON
 * lines. Ctrl-C leaves the rollout as it is and prints the command that continues behind the last group.
 * @throws CommandError exit code 1 unless the rollout succeeded
 */
export async function followRollout(
  { client, embedded }: Connection,
  id: string,
  options: GlobalOptions & { after?: number },
  terminal: Terminal,
): Promise<void> {
  let { after = 0 } = options
  let rollout: RolloutRun | null = null
  for await (const message of client.rolloutEvents(id, { signal: terminal.interruption(), after })) {
    if ('end' in message) break
    if ('event' in message) {
      after = message.event.sequence
      terminal.out(options.json ? JSON.stringify(message.event) : formatGroup(message.event.group))
      continue
    }
    rollout = message.rollout
    // A paused rollout plays nothing until its run is resumed.
    if (rollout.status === 'paused') break
  }
  if (terminal.interruption().aborted) {
    const next = nextCommand(terminal, options, `rollouts follow ${id} --after ${after}`)
    throw interrupted(
      `${embedded ? 'Stopped. Ended groups are kept' : 'The rollout goes on at the service'}: ${next}`,
    )
  }
  if (rollout?.status !== 'paused') rollout = await client.rollout(id)
  terminal.out(options.json ? JSON.stringify(rollout) : ['', ...formatRollout(rollout)].join('\n'))
  checkEnd(rollout, nextCommand(terminal, options, `resume ${rollout.run}`))
}

function checkEnd({ id, status, status_reason }: RolloutRun, resume: string): void {
  if (status === 'succeeded') return
  const reason = status_reason === null ? '' : `: ${status_reason.replace(/\.$/, '')}`
  const way = status === 'paused' ? ` Go on: ${resume}` : ''
  throw new CommandError(`rollout_${status}`, `The rollout ${id} is ${status}${reason}.${way}`)
}
