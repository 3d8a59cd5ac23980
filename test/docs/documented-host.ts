import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A host that a document's command has started. */
export interface DocumentedHost {
  /** Where it answers, such as `http://127.0.0.1:34567`. */
  address: string
  stop(): Promise<void>
}

/** Starts a host by its command, on a free port, and waits until it says where it is. */
export async function startDocumentedHost(command: string, cwd: string): Promise<DocumentedHost> {
  const child = spawn('bash', ['-c', `exec env ${command.replace(/PORT=\d+/, 'PORT=0')}`], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const port = await portOf(child)
  return {
    address: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (piece: Buffer): void => {
      said += piece
      const port = /"port":(\d+)|http:\/\/[^\s"]*:(\d+)/.exec(said)
      if (port !== null) resolve(port[1] ?? port[2] ?? '')
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => reject(new Error(`The host ended with ${code}: ${said}`)))
  })
}
