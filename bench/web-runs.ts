import { openClient } from '../cli/open-client.ts'
import { openService } from '../local/open-service.ts'
import { episodeId } from '../shared/contracts/episode.ts'
import type { RunRequestInput } from '../shared/contracts/run.ts'
import { ledgerKeys, objectKeys } from '../shared/engine/keys.ts'
import { readObject } from '../shared/engine/read-object.ts'
import { openLocalWorld } from '../shared/world/local/open-local-world.ts'

const { signal } = new AbortController()
const base = {
  environment: 'textcraft',
  model: { endpoint: 'simulated', id: 'simulated' },
} as const

/** Plays a run in the folder to its end, as `espalier run` does. */
export async function playRun(folder: string, request: Partial<RunRequestInput>): Promise<string> {
  const service = await openService({ folder, port: 0, log: () => undefined })
  try {
    const client = openClient({ address: service.address, fetcher: fetch, signal })
    const { id } = await client.createRun({ ...base, ...request } as RunRequestInput, `bench-${request.name}`)
    while (['queued', 'running'].includes((await client.run(id)).status))
      await new Promise((resolve) => setTimeout(resolve, 100))
    return id
  } finally {
    await service.close({ grace: 1 })
  }
}

/** Stores a run of so many episodes in the folder, each of them one of a run that was really played. */
export async function stampRun(folder: string, played: string, episodes: number): Promise<string> {
  const world = await openLocalWorld({ folder })
  try {
    const { ledger, objects } = world
    const row = await ledger.get(ledgerKeys.run(played))
    const listed = await ledger.get(ledgerKeys.tenantRun('default', played))
    if (row === null || listed === null) throw new Error(`There is no run ${played}.`)
    const definition = JSON.parse(
      Buffer.from(await readObject(objects, objectKeys.edition(played, String(row.edition)))).toString(
        'utf8',
      ),
    )
    const templates = (await ledger.query(ledgerKeys.episode(played, '').partition)).items
    const id = `${played.slice(0, -8)}00000000`
    for (let start = 0; start < episodes; start += 100) {
      const indices = Array.from({ length: Math.min(100, episodes - start) }, (_, offset) => start + offset)
      await ledger.transact(
        indices.map((index) => ({
          key: ledgerKeys.episode(id, episodeId(index)),
          set: { ...templates[index % templates.length]?.item, index },
        })),
      )
    }
    const request = {
      ...definition.request,
      name: `${episodes} episodes`,
      epochs: episodes / Number(row.total),
    }
    await objects.put(
      objectKeys.edition(id, '0-bench'),
      Buffer.from(JSON.stringify({ ...definition, id, request })),
    )
    await objects.put(objectKeys.tasks(id), await readObject(objects, objectKeys.tasks(played)))
    const share = episodes / Number(row.total)
    await ledger.update({
      key: ledgerKeys.run(id),
      set: {
        ...row,
        id,
        total: episodes,
        succeeded: Number(row.succeeded) * share,
        failed: Number(row.failed) * share,
        edition: '0-bench',
        revision: 0,
        cursor: episodes,
        done: episodes,
        work_total: episodes,
      },
    })
    await ledger.update({ key: ledgerKeys.tenantRun('default', id), set: listed })
    return id
  } finally {
    await world.close()
  }
}
