import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface StartedServer {
  address: string
  /** Ends it by its own process id, and waits until it is gone. */
  stop(): Promise<void>
}

/**
 * Starts a program that is a server, and waits until a GET of `ready` answers anything at all.
 *
 * @param options.port where it listens; its arguments or variables say so
 */
export async function startServer(
  command: readonly string[],
  options: { port: number; ready: string; folder?: string; variables?: Record<string, string> },
): Promise<StartedServer> {
  const [program = '', ...parameters] = command
  const child = spawn(program, parameters, {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, ...options.variables },
    ...(options.folder !== undefined && { cwd: options.folder }),
  })
  const said: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => said.push(String(chunk)))
  const address = `http://127.0.0.1:${options.port}`
  const stop = () => stopServer(child)
  for (const started = performance.now(); performance.now() - started < 300_000; ) {
    if (child.exitCode !== null) break
    try {
      await (await fetch(`${address}${options.ready}`, { signal: AbortSignal.timeout(10_000) })).text()
      return { address, stop }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await stop()
  throw new Error(`${command.join(' ')} did not start: ${said.join('').slice(-2000)}`)
}

export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.stdin?.end()
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(late)
}
