import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { readAllEvents } from '../functions/api/read-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** An environment that never answers one kind of question. */
const program = (hangs: string) => `
import { createInterface } from 'node:readline'
const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op } = JSON.parse(line)
  if (op === '${hangs}') continue
  if (op === 'describe') say({ id, environment: 'stuck', description: 'Hangs.', rules: 'None.', tasks: [{ id: 'one' }], max_steps: 3 })
  else say({ id, observation: 'You see a door.', reward: 0, done: false })
}`

test.each(['reset', 'step'])(
  'a run whose environment hangs at a %s ends within its limit, and says why',
  async (op) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'stuck.mjs'), program(op))
    const stuck = {
      kind: 'program',
      command: [process.execPath, 'stuck.mjs'],
      [`${op}_time_limit`]: 1,
    }
    await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments: { stuck } }))
    const service = await openService({ folder, log: () => undefined })
    onTestFinished(() => service.close({ grace: 1 }))
    const ask = (path: string, init?: RequestInit) =>
      service.app.request(new URL(path, service.address), init)
    const body = JSON.stringify({
      environment: 'stuck',
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
      max_retries: 0,
    })
    const begun = performance.now()
    const answer = await ask('/v1/runs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    expect(answer.status, await answer.clone().text()).toBe(201)
    const { id } = (await answer.json()) as Run
    await readAllEvents(await ask(`/v1/runs/${id}/events`))
    expect((performance.now() - begun) / 1000).toBeLessThan(200)
    const [first] = ((await (await ask(`/v1/runs/${id}/episodes`)).json()) as List<Episode>).data
    const episode = await (await ask(`/v1/runs/${id}/episodes/${first?.id}`)).json()
    expect(episode).toMatchObject({
      status: 'errored',
      result: {
        reward: null,
        error: {
          code: 'environment_failed',
          message: expect.stringMatching(
            new RegExp(`did not answer ${op} within 1 seconds.*${op}_time_limit`),
          ),
        },
      },
    })
  },
)
