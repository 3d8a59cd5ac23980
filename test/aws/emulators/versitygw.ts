import { spawnSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, startEmulator } from './emulator-process.ts'
import { checkDone, installOnce } from './install-once.ts'

const here = join(import.meta.dirname, 'versitygw')

/** Builds the Versity S3 gateway, whose versions `go.mod` and `go.sum` lock, when it is missing. @returns its path */
export async function installVersitygw(): Promise<string> {
  const lists = ['go.mod', 'go.sum'].map((name) => join(here, name))
  const folder = await installOnce('versitygw', lists, (making) => {
    const built = spawnSync(
      'go',
      ['build', '-mod=readonly', '-o', 'versitygw', 'github.com/versity/versitygw/cmd/versitygw'],
      {
        cwd: making,
        encoding: 'utf8',
        env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
      },
    )
    checkDone(built, 'Building versitygw (it needs Go 1.26, and the Go proxy or its cache)')
  })
  return join(folder, 'versitygw')
}

/**
 * Starts the gateway over a folder of its own, and waits until it listens. It checks signatures: who calls it has the key
 * `test` with the secret `test`.
 *
 * @param log the file that takes what it prints
 */
export async function startVersitygw(log: string): Promise<Emulator> {
  const command = await installVersitygw()
  const data = await mkdtemp(join(tmpdir(), 'espalier-versitygw-'))
  return startEmulator({
    name: 'versitygw',
    command,
    arguments: (port) => ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', data],
    environment: { ROOT_ACCESS_KEY: 'test', ROOT_SECRET_KEY: 'test', VGW_REGION: 'us-east-1' },
    log,
  })
}
