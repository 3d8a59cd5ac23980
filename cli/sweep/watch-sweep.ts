import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { workWord } from '../../shared/core/client/status-words.ts'
import { interrupted } from '../command-error.ts'
import { noteCaps } from '../describe-caps.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'
import { sweepLine } from './format-sweep.ts'
import { type PlayedCell, playSweep } from './play-sweep.ts'
import type { Sweep } from './sweep-file.ts'

const lookInterval = 500

// Plays cells and prints their progress; `again` is the command that goes on. Returns true if the budget kept cells
// from being played, and throws after Ctrl-C.
export async function watchSweep(
  { client, embedded }: { client: ApiClient; embedded: boolean },
  { sweep, cells, again }: { sweep: Sweep; cells: PlayedCell[]; again: string },
  terminal: Terminal,
): Promise<boolean> {
  const signal = terminal.interruption()
  const line = await showLine(terminal)
  const stopped = () =>
    interrupted(
      `Stopped. ${embedded ? 'What is done is kept' : 'Runs that were begun go on at the service'}; the sweep goes on with: ${again}`,
    )
  try {
    const isStopped = await playSweep({
      client,
      sweep,
      cells,
      signal,
      async onStart({ name }, run) {
        terminal.note(`${run.id} begins: ${name}`)
        await noteCaps(client, run, terminal)
      },
      onEnd: ({ name, run }) => run && terminal.note(`${run.id} is ${workWord(run.status)}: ${name}`),
      onLook: () => line.update(sweepLine(cells, sweep.budget)),
      pause: () => new Promise((resolve) => setTimeout(resolve, lookInterval)),
    })
    if (signal.aborted) throw stopped()
    return isStopped
  } catch (error) {
    if (signal.aborted) throw stopped()
    throw error
  } finally {
    line.stop()
  }
}
