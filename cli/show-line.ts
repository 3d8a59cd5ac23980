import type { Terminal } from './terminal.ts'

export interface ProgressLine {
  update(text: string): void
  stop(): void
}

const lineInterval = 5000

export async function showLine(terminal: Terminal): Promise<ProgressLine> {
  const stream = terminal.progress
  if (stream === null) return plainLines(terminal)
  const { default: cliProgress } = await import('cli-progress')
  const bar = new cliProgress.SingleBar({
    format: (_options, _parameters, payload: { line?: string }) => payload.line ?? '',
    stream,
    hideCursor: true,
    gracefulExit: false,
    fps: 10,
  })
  bar.start(1, 0, { line: '' })
  return {
    update: (text) => bar.update(0, { line: text.slice(0, Math.max(40, (stream.columns ?? 80) - 1)) }),
    stop: () => bar.stop(),
  }
}

function plainLines(terminal: Terminal): ProgressLine {
  let shownAt = performance.now()
  return {
    update(text) {
      if (performance.now() - shownAt < lineInterval) return
      shownAt = performance.now()
      terminal.note(text)
    },
    stop: () => {},
  }
}
