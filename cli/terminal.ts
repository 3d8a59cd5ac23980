import { styleText } from 'node:util'

/** Scripts whose process must end with the npm that runs it. A shell between the two passes no signal on. */
const scripts = new Set(['quickstart', 'start', 'espalier', 'npx'])
const lookEvery = 250

type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  out(text: string): void
  note(text: string): void
  readonly progress: NodeJS.WriteStream | null
  readonly isInteractive: boolean
  /** The width of tables and trees. Infinite if standard output is no terminal: its reader gets everything. */
  readonly columns: number
  paint(style: Style, text: string): string
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * Aborted by Ctrl-C, SIGTERM, SIGHUP or the end of the npm that started the process. After the first call, the
   * process no longer ends by itself at the first signal.
   */
  interruption(): AbortSignal
}

export function processTerminal(): Terminal {
  let controller: AbortController | null = null
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    progress: process.stderr.isTTY ? process.stderr : null,
    isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    columns: process.stdout.isTTY ? Math.max(40, process.stdout.columns) : Number.POSITIVE_INFINITY,
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
    environment: process.env,
    interruption() {
      if (controller !== null) return controller.signal
      const created = new AbortController()
      controller = created
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(name, () => {
          if (created.signal.aborted) process.exit(130)
          created.abort(name)
        })
      }
      watchParent(process.env, () => created.abort('SIGTERM'))
      return created.signal
    },
  }
}

/**
 * Calls back once the parent of this process has ended, if npm started this process: npm does not wait after a
 * signal, and SIGKILL leaves no other trace. A process started by a person or a service manager may outlive its
 * parent.
 */
function watchParent(environment: Readonly<Record<string, string | undefined>>, onGone: () => void): void {
  if (!scripts.has(environment.npm_lifecycle_event ?? '')) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, lookEvery)
  timer.unref()
}
