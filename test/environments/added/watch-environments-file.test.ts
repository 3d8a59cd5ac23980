import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchEnvironmentsFile } from '../../../shared/environments/added/watch-environments-file.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const server = (first: number) => ({
  kind: 'agentgym',
  server: 'sciworld',
  address: 'http://lab:1/x',
  tasks: { test: [first, first + 1] },
})

/** A process that has started over a file with these entries, and how the file is written again. */
async function start(entries: Record<string, object> | null) {
  const path = join(await temporaryFolder(), 'environments.json')
  const write = (content: Record<string, object> | string) =>
    writeFile(path, typeof content === 'string' ? content : JSON.stringify({ environments: content }))
  if (entries !== null) await write(entries)
  const { added, later } = await watchEnvironmentsFile(path)
  return { write, environments: openEnvironments(added, null, later) }
}

const idsOf = async ({ environments }: Awaited<ReturnType<typeof start>>) =>
  (await environments.list()).map(({ environment }) => environment.id)

test('an environment that is added while a process runs is found by its name, and listed', async () => {
  const started = await start(null)
  await expect(started.environments.open('lab')).rejects.toThrow('There is no environment "lab"')
  await started.write({ lab: server(5) })
  expect((await started.environments.open('lab')).environment.id).toBe('lab')
  await started.write({ lab: server(5), other: server(7) })
  expect(await idsOf(started)).toEqual(['lab', 'other'])
})

test('an entry that changes, or is taken out, is played as it was', async () => {
  const started = await start({ lab: server(5) })
  await started.write({ lab: server(8), other: server(7) })
  await started.environments.open('other')
  await started.write({ other: server(9) })
  const tasks = await Promise.all(
    ['lab', 'other'].map(async (id) => (await started.environments.open(id)).environment.tasks()[0]?.id),
  )
  expect(tasks).toEqual(['lab-00005', 'other-00007'])
  expect(await idsOf(started)).toEqual(['lab', 'other'])
})

test('while the file is wrong, what was there is played, and a request for more says which field', async () => {
  const started = await start({ lab: server(5) })
  await started.write({ lab: server(5), more: { kind: 'agentgym' } })
  expect(await idsOf(started)).toEqual(['lab'])
  await expect(started.environments.open('more')).rejects.toMatchObject({ code: 'invalid_request' })
  await started.write('{')
  await expect(started.environments.open('more')).rejects.toMatchObject({ code: 'invalid_request' })
  await started.write({ lab: server(5), more: server(6) })
  expect((await started.environments.open('more')).environment.id).toBe('more')
})
