import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { createClient } from '../../shared/core/client/client.ts'

const program = resolve(import.meta.dirname, '../../cli/espalier.ts')

const endpoints = {
  expert: { kind: 'simulated', skill: 1 },
  novice: { kind: 'simulated', skill: 0 },
}

export interface DemoService {
  client: ApiClient
  address: string
  process: ChildProcess
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts `espalier serve` over a data folder as a separate process. Started again over the same folder, it resumes.
 * @throws Error with its output, when it does not start
 */
export async function startDemoService(folder: string): Promise<DemoService> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'endpoints.json'), `${JSON.stringify({ endpoints }, null, 2)}\n`)
  const child = spawn(process.execPath, [program, 'serve', '--folder', folder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Models of this size are slower with several threads, which wait for each other, especially beside other work.
    env: { OMP_NUM_THREADS: '1', ...process.env },
    // Ctrl-C is for the demonstration, which then ends the service.
    detached: true,
  })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints = (complaints + text).slice(-4000)
  })
  const gone = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const failed = gone.then(() => Promise.reject(new Error(`The service ended: ${complaints}`)))
  failed.catch(() => complaints)
  const [facts] = await Promise.race([line, failed])
  const { address } = JSON.parse(facts) as { address: string }
  return {
    client: createClient({ address }),
    address,
    process: child,
    async end(signal) {
      child.kill(signal)
      await gone
    },
  }
}
