import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Session, SessionStep } from '../../shared/core/contracts/session.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { HostRequest } from '../../shared/core/world/ports.ts'

/**
 * A host of an image, as a child process, with a Python of ours; for tests of the real programs.
 *
 * @param image a folder of containers/, whose entry has the same name
 */
export async function openProgramHost(
  image: string,
  python: string,
  environment: HostRequest['environment'] = {},
) {
  const entry = fileURLToPath(new URL(`../../shared/environments/${image}/host/${image}.ts`, import.meta.url))
  const folder = await mkdtemp(join(tmpdir(), 'espalier-test-'))
  const world = await openLocalWorld({ folder, images: { [image]: entry } })
  const close = async (): Promise<void> => {
    await world.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  const { id, address, reason } = await world.hosts.launch({
    image,
    token: 't',
    environment: { ESPALIER_PYTHON: python, ...environment },
  })
  const log = () => readFile(join(world.folder, 'hosts', `${id}.log`), 'utf8')
  if (address === null) {
    const printed = await log()
    await close()
    throw new Error(`${reason}\n${printed}`)
  }
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${address}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  return {
    address,
    close,
    log,
    get: (path: string) => send('GET', path),
    post: (path: string, body: object) => send('POST', path, body),
    /** Opens a session, takes the actions, and closes it; answers all that was said. */
    async play(
      task: {
        environment: string
        task: string
        files?: Record<string, string>
        options?: Record<string, string>
      },
      actions: readonly string[],
    ) {
      const start = (await send('POST', '/sessions', { seed: 0, token: 1, ...task })) as Session
      const steps: SessionStep[] = []
      for (const [step_index, action] of actions.entries()) {
        steps.push(
          (await send('POST', `/sessions/${start.id}/step`, { action, step_index, token: 1 })) as SessionStep,
        )
      }
      await send('DELETE', `/sessions/${start.id}?token=1`)
      return { start, steps }
    },
  }
}
