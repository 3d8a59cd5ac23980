import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface CommandResult {
  code: number | null
  out: string
  shown: string
}

export interface CommandSettings {
  cwd: string
  env: NodeJS.ProcessEnv
}

export interface StartedCommand {
  child: ChildProcess
  /**
   * Resolves with the first match of the output.
   * @throws Error if the command ends before
   */
  shows(pattern: RegExp): Promise<string>
  ended: Promise<CommandResult>
}

export function startCommand(words: readonly string[], { cwd, env }: CommandSettings): StartedCommand {
  const [command = '', ...options] = words
  const child = spawn(command, options, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let [out, shown] = ['', '']
  const waiting = new Set<() => void>()
  const take = (text: string, isOut: boolean) => {
    shown += text
    if (isOut) out += text
    for (const check of waiting) check()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => take(text, true))
  child.stderr.setEncoding('utf8').on('data', (text: string) => take(text, false))
  const ended = once(child, 'close').then(([code]): CommandResult => ({ code, out, shown }))
  const shows = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const [found] = pattern.exec(shown) ?? []
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      void ended.then(() => reject(new Error(`It ended without ${pattern}:\n${shown}`)))
      check()
    })
  return { child, shows, ended }
}

export function killCommand({ child }: StartedCommand, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, signal)
}
