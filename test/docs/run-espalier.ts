import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'

/** What a command came to. */
export interface Outcome {
  exitCode: number
  out: string
  notes: string
}

/**
 * Runs the command in this process. One that serves is ended as by Ctrl-C once it has said where it is; it has a port and,
 * unless it names one, a folder of its own.
 */
export async function runEspalier(words: readonly string[], ownFolder: string): Promise<Outcome> {
  const terminal = recordingTerminal({ environment: process.env as Record<string, string> })
  const serves = words[0] === 'serve' || words[0] === 'simulate'
  let isOver = false
  const ending = runCli(serves ? apart(words, ownFolder) : [...words], terminal).finally(() => {
    isOver = true
  })
  if (serves) {
    while (terminal.outs.length === 0 && !isOver) await new Promise((resolve) => setTimeout(resolve, 20))
    terminal.interrupt()
  }
  const exitCode = await ending
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

function apart(words: readonly string[], folder: string): string[] {
  const port = words.indexOf('--port')
  const others = port < 0 ? words : words.toSpliced(port, 2)
  const own = words[0] === 'serve' && !words.includes('--folder') ? ['--folder', folder] : []
  return [...others, '--port', '0', ...own]
}
