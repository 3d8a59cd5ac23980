import type { SingleBar } from 'cli-progress'
import type { Run } from '../shared/core/contracts/run.ts'
import { pad, widthOf } from './fit-text.ts'
import { countEnded, type Pace, progressBar, progressText } from './progress-line.ts'
import type { Terminal } from './terminal.ts'

export interface Progress {
  update(name: string, run: Run): void
  stop(): void
}

const lineInterval = 5

export async function showProgress(terminal: Terminal, names: string[]): Promise<Progress> {
  const started = performance.now()
  const before = new Map<string, number>()
  const nameWidth = Math.max(...names.map(widthOf))

  function paceOf(name: string, run: Run): Pace {
    const ended = before.get(name) ?? countEnded(run.episodes)
    before.set(name, ended)
    return { ended, seconds: (performance.now() - started) / 1000 }
  }

  const stream = terminal.progress
  if (stream === null) return plainLines(terminal, nameWidth, paceOf)
  const { default: cliProgress } = await import('cli-progress')
  const bars = new cliProgress.MultiBar({
    format: (_options, _parameters, payload: { line?: string }) => payload.line ?? '',
    stream,
    hideCursor: true,
    gracefulExit: false,
    emptyOnZero: true,
    fps: 10,
  })
  const shown = new Map<string, SingleBar>()
  for (const name of names) shown.set(name, bars.create(1, 0, { line: name }))
  return {
    update(name, run) {
      const width = Math.max(40, (stream.columns ?? 80) - 1)
      const line = progressBar(pad(name, nameWidth), run, paceOf(name, run), width)
      shown.get(name)?.update(0, { line })
    },
    stop: () => bars.stop(),
  }
}

function plainLines(
  terminal: Terminal,
  nameWidth: number,
  paceOf: (name: string, run: Run) => Pace,
): Progress {
  const printed = new Map<string, { text: string; at: number; status: string }>()
  return {
    update(name, run) {
      const text = progressText(run, paceOf(name, run))
      const earlier = printed.get(name)
      const now = performance.now()
      const due = earlier === undefined || now - earlier.at >= lineInterval * 1000
      if (text === earlier?.text || !(due || earlier?.status !== run.status)) return
      printed.set(name, { text, at: now, status: run.status })
      terminal.note(`${pad(name, nameWidth)}  ${text}`)
    },
    stop: () => {},
  }
}
