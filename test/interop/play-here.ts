import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openService } from '../../local/open-service.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { readAllEvents } from '../functions/api/read-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A service over a folder of its own, with what an administrator added, for as long as the test runs. */
export async function openHere(added: { environments?: object; endpoints?: object }) {
  const folder = await temporaryFolder()
  for (const [name, entries] of Object.entries(added)) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ [name]: entries }))
  }
  const service = await openService({ folder, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await (await service.app.request(new URL(path, service.address))).json()) as Answer

  /** Plays a run to its end, which has to be `succeeded` with no errored episode. */
  async function play(request: object): Promise<{ run: Run; episodes: Episode[] }> {
    const body = JSON.stringify({ seed: 1, ...request })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await service.app.request('/v1/runs', { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
    const { id } = (await answer.json()) as Run
    const events = await readAllEvents(await service.app.request(`/v1/runs/${id}/events`))
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
    const { data } = await get<List<Episode>>(`/v1/runs/${id}/episodes`)
    expect(data.filter(({ status }) => status === 'errored')).toEqual([])
    return { run: await get<Run>(`/v1/runs/${id}`), episodes: data }
  }
  return { get, play }
}
