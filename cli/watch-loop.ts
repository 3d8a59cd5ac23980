import { setTimeout as sleep } from 'node:timers/promises'
import { formatMoney } from '../shared/core/client/format-quantity.ts'
import { workWord } from '../shared/core/client/status-words.ts'
import type { Loop } from '../shared/core/contracts/loop.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import { CommandError, interrupted } from './command-error.ts'
import { nextCommand } from './command-name.ts'
import type { Connection } from './connect.ts'
import { truncate } from './fit-text.ts'
import { formatLoopReport } from './format-loop.ts'
import type { GlobalOptions } from './global-options.ts'
import { countEnded } from './progress-line.ts'
import type { Terminal } from './terminal.ts'

const interval = 1000

/**
 * Watches a loop to its end and prints its report; with `--json`, the loop and its report.
 * @throws CommandError exit code 1 unless the loop succeeded
 */
export async function watchLoop(
  connection: Connection,
  id: string,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const loop = await followLoop(connection, id, options, terminal)
  const report = await connection.client.loopReport(id)
  if (options.json) terminal.out(JSON.stringify({ loop, report }, null, 2))
  else terminal.out(formatLoopReport(report, terminal.columns).join('\n'))
  refuseUnfinished(loop, options, terminal)
}

/** @throws CommandError exit code 1 unless the loop succeeded */
export function refuseUnfinished(loop: Loop, options: GlobalOptions, terminal: Terminal): void {
  if (loop.status === 'succeeded') return
  const reason = loop.reason === null ? '' : `: ${loop.reason.replace(/\.$/, '')}`
  const way =
    loop.status === 'paused' ? ` Go on: ${nextCommand(terminal, options, `loops resume ${loop.id}`)}` : ''
  throw new CommandError(`loop_${loop.status}`, `The loop is ${loop.status}${reason}.${way}`)
}

/**
 * Notes the stages of a loop until it has ended or waits. Ctrl-C leaves the loop as it is and prints the command that
 * continues.
 */
export async function followLoop(
  connection: Connection,
  id: string,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<Loop> {
  const { client } = connection
  const signal = terminal.interruption()
  const show = showStages(terminal)
  let loop = await client.loop(id)
  while (loop.status === 'queued' || loop.status === 'running') {
    show.update(loop, await runUnderWay(connection, loop))
    try {
      await sleep(interval, undefined, { signal })
    } catch {
      show.stop()
      throw interrupted(
        `${connection.embedded ? 'Stopped. What is done is kept' : 'The loop goes on at the service'}: ${nextCommand(terminal, options, `loops watch ${id}`)}`,
      )
    }
    loop = await client.loop(id)
  }
  show.update(loop, null)
  show.stop()
  return loop
}

async function runUnderWay({ client }: Connection, { progress }: Loop): Promise<Run | null> {
  return progress.ref?.startsWith('run-') ? client.run(progress.ref) : null
}

function showStages(terminal: Terminal) {
  const shown = new Set<string>()
  const stream = terminal.progress
  const clear = '\r\u001b[K'
  return {
    update(loop: Loop, run: Run | null): void {
      if (stream !== null) stream.write(clear)
      for (const { round, stages, outcome } of loop.rounds) {
        for (const { id, status, ref, cost } of stages) {
          if (status === 'running') continue
          note(
            `${round}/${id}/${status}`,
            `round ${round}  ${id}: ${workWord(status)} · ${ref} · ${formatMoney(cost)}`,
          )
        }
        if (outcome !== null) note(`${round}/outcome`, `round ${round}  ${outcome.reason}`)
      }
      if (stream !== null && loop.progress.stage !== null) {
        stream.write(truncate(stageLine(loop, run), (stream.columns ?? 80) - 1))
      }
    },
    stop: () => void stream?.write(clear),
  }

  function note(key: string, line: string): void {
    if (shown.has(key)) return
    shown.add(key)
    terminal.note(line)
  }
}

export function stageLine(loop: Loop, run: Run | null): string {
  const { progress, usage } = loop
  const parts = [
    `round ${progress.round}/${progress.rounds}`,
    `${progress.stage ?? ''} ${progress.ref ?? ''}`.trim(),
    run === null ? null : `${countEnded(run.episodes)}/${run.episodes.total} episodes`,
    formatMoney(usage.cost),
  ]
  return parts.filter((part) => part !== null && part !== '').join(' · ')
}
