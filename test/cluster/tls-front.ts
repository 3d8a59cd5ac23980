import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)

/** Ends TLS before a service's port. Processes that the test starts later trust its certificate. */
export async function startTlsFront(): Promise<(address: string) => Promise<string>> {
  const folder = await temporaryFolder()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = ['-subj', '/CN=espalier', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await run('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate])
  vi.stubEnv('NODE_EXTRA_CA_CERTS', certificate)
  onTestFinished(() => void vi.unstubAllEnvs())
  const pair = { key: await readFile(key), cert: await readFile(certificate) }
  return async (address) => {
    const server = createServer(pair, (client) => {
      const target = connect(Number(new URL(address).port), '127.0.0.1')
      for (const socket of [client, target]) socket.on('error', () => undefined)
      client.pipe(target).pipe(client)
      client.once('close', () => target.destroy())
      target.once('close', () => client.destroy())
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const own = server.address()
    if (own === null || typeof own === 'string') throw new Error('A server on a port has an address.')
    return `https://127.0.0.1:${own.port}`
  }
}
