import type { Terminal } from '../../cli/terminal.ts'

export interface RecordingTerminal extends Terminal {
  readonly outs: string[]
  readonly notes: string[]
  interrupt(): void
}

/** A terminal without a process: keeps what is printed, 100 columns wide, no colours. */
export function recordingTerminal(
  options: { columns?: number; environment?: Record<string, string>; isInteractive?: boolean } = {},
): RecordingTerminal {
  const outs: string[] = []
  const notes: string[] = []
  const controller = new AbortController()
  return {
    outs,
    notes,
    out: (text) => void outs.push(text),
    note: (text) => void notes.push(text),
    progress: null,
    isInteractive: options.isInteractive ?? false,
    columns: options.columns ?? 100,
    paint: (_style, text) => text,
    environment: options.environment ?? {},
    interruption: () => controller.signal,
    interrupt: () => controller.abort(),
  }
}
