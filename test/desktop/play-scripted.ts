import { setTimeout as sleep } from 'node:timers/promises'
import { openDesktop } from '../../containers/desktop/open-desktop.ts'
import type { TaskProgram } from '../../containers/desktop/task-program.ts'
import type { JsonObject } from '../../shared/contracts/json.ts'
import { lentFolder } from '../support/temporary-folder.ts'

export interface PlayedScript {
  /** The score of doing nothing and calling it done; null: not asked for. */
  idle: number | null
  /** The score after the actions. */
  solved: number
}

/** How long a picture may take to stay the same. Milliseconds. */
const settleWithin = 5000

/**
 * Plays actions on a desktop of their own, one after the other as the picture comes to rest, and scores the task.
 *
 * @param scoresIdle whether the task is scored before the first action too, which steps before its score may forbid
 */
export async function playScripted(
  program: TaskProgram,
  task: JsonObject,
  actions: readonly string[],
  scoresIdle: boolean,
): Promise<PlayedScript> {
  const cache = await lentFolder()
  const desktop = await openDesktop({ log: () => undefined })
  const request = { machine: desktop.address, task, files: {}, cache: cache.folder }
  try {
    await program.setUp(request)
    const idle = scoresIdle ? (await program.score({ ...request, actions: ['DONE'] })).score : null
    for (const action of actions) {
      if (action === 'WAIT') await sleep(2000)
      else if (action !== 'DONE' && action !== 'FAIL') await act(desktop.address, action)
    }
    return { idle, solved: (await program.score({ ...request, actions })).score }
  } finally {
    await desktop.close()
    await cache.remove()
  }
}

async function act(address: string, code: string): Promise<void> {
  const response = await fetch(`${address}/espalier/act`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const { returncode, error } = (await response.json()) as { returncode: number; error: string }
  if (returncode !== 0) throw new Error(`${code} failed: ${error}`)
  await sleep(500)
  const until = Date.now() + settleWithin
  let last = await takePicture(address)
  while (Date.now() < until) {
    await sleep(300)
    const next = await takePicture(address)
    if (next.equals(last)) return
    last = next
  }
}

async function takePicture(address: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${address}/screenshot`)).arrayBuffer())
}
