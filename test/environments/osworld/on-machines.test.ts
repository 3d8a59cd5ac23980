import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { loadAddedEnvironments } from '../../../shared/environments/added/load-added-environments.ts'
import { isHosted } from '../../../shared/environments/environment.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { packOfOsworld } from './pack-of-osworld.ts'
import { download, writeTask } from './write-task.ts'

const machines = Array.from({ length: 3 }, (_, index) => ({
  address: `http://10.0.0.${index}:5000`,
  reset: { address: 'http://10.0.0.99/reset', headers: { authorization: { variable: 'VM_TOKEN' } } },
}))
const examples = {
  'examples/thunderbird/m1.json': writeTask('m1', { related_apps: ['thunderbird'] }),
  'examples/os/f1.json': writeTask('f1', { config: [download(['https://h.org/a.txt', '/home/user/a.txt'])] }),
  'examples/os/a1.json': writeTask('a1', { evaluator: { func: 'compare_audios' } }),
}

async function load(entry: object) {
  const path = join(await temporaryFolder(), 'environments.json')
  await writeFile(path, JSON.stringify({ environments: { lab: entry } }))
  return loadAddedEnvironments({ path })
}

async function open(of = machines) {
  const pack = await packOfOsworld(examples)
  const packs = {
    list: async (id: string) => (id === 'osworld' ? [{ digest: pack.digest, name: pack.name }] : []),
    open: async () => pack,
  }
  const { environment } = await openEnvironments(await load({ kind: 'osworld', machines: of }), packs).open(
    'lab',
  )
  if (!isHosted(environment) || environment.host.kind !== 'image') throw new Error('It is played on hosts.')
  return { ...environment, host: environment.host }
}

test('virtual machines play the tasks of the packs of osworld, which lack only what their scoring is without', async () => {
  const { id, tasks, host } = await open()
  expect(id).toBe('lab')
  expect(host).toMatchObject({ image: 'desktop', environment: 'osworld' })
  expect(tasks().map(({ id: task, split, lacks }) => [task, split, lacks])).toEqual([
    ['os/f1', 'test', undefined],
    ['thunderbird/m1', 'test', undefined],
    ['os/a1', 'lacking', ['a metric that is left out']],
  ])
})

test('an episode has as many sessions as there are machines, and sixteen at most', async () => {
  expect((await open()).sessions_per_episode).toBe(3)
  const many = Array.from({ length: 20 }, (_, index) => ({
    ...machines[0],
    address: `http://vm${index}:5000`,
  }))
  expect((await open(many as typeof machines)).sessions_per_episode).toBe(16)
})

test('secrets are read when a session is opened, and a missing one names its field', async () => {
  const { host } = await open()
  vi.stubEnv('VM_TOKEN', undefined)
  expect(() => host.machines?.()).toThrow(/environments\.lab\.machines\.0\.reset\.headers\.authorization/)
  vi.stubEnv('VM_TOKEN', 'secret')
  expect(host.machines?.().map(({ address }) => address)).toEqual(machines.map(({ address }) => address))
  vi.unstubAllEnvs()
})

test('without a pack it says how tasks are added', async () => {
  const [definition] = await load({ kind: 'osworld', machines })
  expect((await definition?.open(null))?.description).toMatch(/espalier data add osworld FOLDER/)
})
