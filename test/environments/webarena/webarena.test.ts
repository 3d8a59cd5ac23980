import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { loadAddedEnvironments } from '../../../shared/environments/added/load-added-environments.ts'
import type { DataPack, PackSource } from '../../../shared/environments/data-pack.ts'
import type { HostedEnvironment } from '../../../shared/environments/environment.ts'
import {
  packedTaskId,
  packedTaskSchema,
  webarenaPackFormat,
} from '../../../shared/environments/webarena/pack-format.ts'
import {
  fillAddresses,
  sitesNamedIn,
  toRealAddress,
  toShownAddress,
} from '../../../shared/environments/webarena/site-names.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const task = (more: object = {}) => ({
  task_id: 3,
  sites: ['shopping'],
  start_url: '__SHOPPING__',
  intent: 'Which  lamp\nis red?',
  storage_state: './.auth/shopping_state.json',
  eval: { eval_types: ['string_match'], reference_answers: { must_include: ['red'] }, program_html: null },
  ...more,
})

function sourceOf(files: Record<string, unknown>): PackSource {
  const bytes = (file: unknown) => Buffer.from(typeof file === 'string' ? file : JSON.stringify(file))
  return { files: Object.keys(files).sort(), read: async (path) => bytes(files[path] ?? '') }
}

async function packOf(files: Record<string, unknown>): Promise<DataPack> {
  const packed = new Map<string, Uint8Array>()
  for await (const { path, body } of webarenaPackFormat.collect(sourceOf(files))) packed.set(path, body)
  return {
    digest: 'digest',
    name: 'own',
    files: [...packed.keys()],
    read: async (path) => packed.get(path) ?? new Uint8Array(),
  }
}

const readPacked = async (pack: DataPack, path: string) =>
  JSON.parse(Buffer.from(await pack.read(path)).toString())

test.each([
  ['test.raw.json', '3'],
  ['config_files/3.json', '3'],
  ['test_classifieds.raw.json', 'classifieds/3'],
  ['vwa/test_classifieds/3.json', 'classifieds/3'],
  ['test_classifieds_v2/3.json', 'classifieds_v2/3'],
  ['lamps.json', 'lamps/3'],
])('the task 3 of %s has the id %s', (path, id) => {
  expect(packedTaskId('3', path)).toBe(id)
})

test('a pack has each task as it is written, with its pictures, and an index', async () => {
  const judged = { eval_types: ['string_match'], reference_answers: { fuzzy_match: ['red'] } }
  const pack = await packOf({
    'test.raw.json': [task(), task({ task_id: 4, eval: judged, image: './coco/1.png' })],
    'coco/1.png': 'bytes',
    'accounts.json': { user: 'ann' },
  })
  expect(await readPacked(pack, 'index.json')).toEqual([
    { id: '3', type: 'shopping', description: 'Which lamp is red?', asks: [] },
    { id: '4', type: 'shopping', description: 'Which lamp is red?', asks: ['judge'] },
  ])
  expect(await readPacked(pack, 'tasks/4.json')).toMatchObject({
    task: { task_id: 4, start_url: '__SHOPPING__' },
    pictures: { './coco/1.png': Buffer.from('bytes').toString('base64') },
  })
  expect(webarenaPackFormat.filesOf?.('4')).toEqual(['tasks/4.json'])
})

const verified = (more: object = {}) => ({
  ...{
    task_id: 5,
    intent_template_id: 1,
    sites: ['shopping'],
    start_urls: ['__SHOPPING__/', '__SHOPPING__/a'],
  },
  ...{ intent: 'Which lamp is red?', intent_template: '', instantiation_dict: {}, revision: 2 },
  eval: [
    {
      ...{
        evaluator: 'AgentResponseEvaluator',
        results_schema: { type: 'array', items: { type: 'string' } },
      },
      expected: { task_type: 'retrieve', status: 'SUCCESS', retrieved_data: ['Red'] },
    },
  ],
  ...more,
})

test('task files of WebArena-Verified are read beside those of WebArena', async () => {
  const pack = await packOf({ 'webarena-verified.json': [verified()], 'test.raw.json': [task()] })
  expect((await readPacked(pack, 'index.json')).map(({ id }: { id: string }) => id)).toEqual([
    '3',
    'webarena-verified/5',
  ])
  const { task: read } = packedTaskSchema.parse(await readPacked(pack, 'tasks/webarena-verified/5.json'))
  expect(read).toMatchObject({
    ...{ start_url: '__SHOPPING__/ |AND| __SHOPPING__/a', storage_state: 'shopping_state.json' },
    verified: { revision: 2, eval: [{ expected: { task_type: 'RETRIEVE' } }] },
  })
})

test.each([
  [{ 'test.json': [verified({ eval: [] })] }, /task 5: eval: must have an AgentResponseEvaluator/],
  [{ 'test.json': '{' }, /test\.json is not JSON/],
  [{ 'a.json': {} }, /no task in it/],
  [{ 'test.json': [task({ intent: '' })] }, /test\.json: task 3: intent/],
  [{ 'test.json': [task({ eval: { eval_types: ['url_match'] } })] }, /task 3: eval\.reference_url/],
  [{ 'test.json': [task(), task()] }, /both have the task 3/],
  [{ 'test.json': [task({ image: 'coco/2.png' })] }, /shows coco\/2\.png, which is not there/],
])('task files that cannot be used are refused: %j', async (files, message) => {
  await expect(packOf(files)).rejects.toThrow(message)
})

test('placeholders stand for addresses, and addresses are shown as those of the sites that they copy', () => {
  const sites = { shopping: 'http://shop.example:7770', shopping_admin: 'http://shop.example:7770/admin' }
  expect(sitesNamedIn('__SHOPPING__/a __MAP__ __OTHER__')).toEqual(['shopping', 'map'])
  expect(fillAddresses('__SHOPPING__/a __MAP__', sites)).toBe('http://shop.example:7770/a __MAP__')
  for (const [real, shown] of [
    ['http://shop.example:7770/a?b=1', 'http://onestopmarket.com/a?b=1'],
    ['http://shop.example:7770/admin/x', 'http://luma.com/admin/x'],
    ['http://shop.example:77701/a', 'http://shop.example:77701/a'],
  ] as const) {
    expect(toShownAddress(real, sites)).toBe(shown)
    expect(toRealAddress(shown, sites)).toBe(real)
  }
})

afterEach(() => vi.unstubAllEnvs())

const site = (more: object = {}) => ({
  address: 'http://shop.example:7770/',
  sharing: { kind: 'read_only' },
  ...more,
})
async function load(entry: object) {
  const folder = await temporaryFolder()
  const path = join(folder, 'environments.json')
  await writeFile(path, JSON.stringify({ environments: { mine: { kind: 'webarena', ...entry } } }))
  const [definition] = await loadAddedEnvironments({ path })
  if (definition === undefined) throw new Error('nothing was added')
  return { definition, folder }
}
const openMine = async (entry: object, files: Record<string, unknown> = { 'test.json': [task()] }) => {
  const { definition, folder } = await load(entry)
  const environment = (await definition.open(await packOf(files))) as HostedEnvironment
  if (environment.host.kind !== 'image') throw new Error('it has another host')
  return { environment, host: environment.host, folder }
}

test('environments.json adds the environment, with the sites, their secrets and the log-in for hosts', async () => {
  const { environment, host, folder } = await openMine({
    sites: {
      shopping: site({
        sharing: {
          kind: 'leased',
          reset: {
            address: 'http://shop.example/reset',
            form: { token: { variable: 'OWN_TOKEN' }, all: 'yes' },
          },
        },
      }),
      wikipedia: site({ address: 'http://wiki.example', other_hosts: ['pictures.example'] }),
    },
    storage_states: { folder: '.auth' },
  })
  expect(environment).toMatchObject({
    id: 'mine',
    snapshot: 'replay',
    default_max_steps: 30,
    replays: 'matched',
  })
  expect(environment.tasks()).toMatchObject([{ id: '3', split: 'test', type: 'shopping' }])
  const field = 'environments.mine.sites.shopping.sharing.reset.form.token'
  await expect(host.files?.('3')).rejects.toMatchObject({ param: field, message: /OWN_TOKEN is not set/ })
  vi.stubEnv('OWN_TOKEN', 'secret')
  await expect(host.files?.('3')).rejects.toMatchObject({ param: 'environments.mine.storage_states.folder' })
  await mkdir(join(folder, '.auth'))
  await writeFile(join(folder, '.auth/shopping_state.json'), '{"cookies":[]}')
  const sites = JSON.parse((await host.files?.('3'))?.['sites.json'] ?? '')
  expect(sites.storage_state).toBe('{"cookies":[]}')
  expect(sites.sites.shopping).toMatchObject({
    address: 'http://shop.example:7770',
    hosts: ['shop.example:7770'],
    sharing: { reset: { form: { token: 'secret', all: 'yes' }, timeout: 600, when: 'always' } },
  })
  expect(sites.sites.wikipedia.hosts).toEqual(['wiki.example', 'pictures.example'])
  expect(await host.alone?.('3')).toEqual(['http://shop.example:7770'])
})

test('a task has alone those of its leased sites that it names, wherever it names them', async () => {
  const sharing = { kind: 'leased', reset: { address: 'http://a.example/reset' } }
  const sites = { shopping: site(), reddit: site({ address: 'http://forum.example', sharing }) }
  const other = task({ task_id: 4, image: '__REDDIT__/1.png' })
  const { host } = await openMine({ sites }, { 'test.json': [task(), other] })
  expect(await host.alone?.('3')).toEqual([])
  expect(await host.alone?.('4')).toEqual(['http://forum.example'])
})

test.each([
  [{ sites: {} }, 'environments.mine.sites'],
  [{ sites: { shop: site() } }, 'environments.mine.sites'],
  [{ sites: { shopping: { address: 'http://a.example' } } }, 'environments.mine.sites.shopping.sharing'],
  [{ sites: { shopping: site({ address: 'shop' }) } }, 'environments.mine.sites.shopping.address'],
  [
    { sites: { shopping: site({ sharing: { kind: 'leased' } }) } },
    'environments.mine.sites.shopping.sharing.reset',
  ],
])('an entry that is wrong is refused with its field: %j', async (entry, param) => {
  await expect(load(entry)).rejects.toMatchObject({
    code: 'invalid_request',
    param: expect.stringContaining(param),
  })
})

test('without a data pack it says how to add one', async () => {
  const { definition } = await load({ sites: { shopping: site() } })
  await expect(definition.open(null)).rejects.toThrow(/espalier data add mine FOLDER/)
})
