import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostImages } from '../../../local/host-images.ts'
import { lackingChromium } from '../../../shared/environments/browser/find-chromium.ts'
import type { Environment, HostedEnvironment } from '../../../shared/environments/environment.ts'
import { isHosted } from '../../../shared/environments/environment.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { images } from '../../../shared/environments/images.ts'
import { openRuntimes } from '../../../shared/environments/runtimes/image-runtimes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { programsFolder } from './programs-folder.ts'

async function opened(id: string): Promise<Environment> {
  const definition = definitions.find((each) => each.id === id)
  if (definition === undefined) throw new Error(`There is no ${id}.`)
  return definition.open(null)
}

const hosted = (host: HostedEnvironment['host'], environment: Environment) =>
  ({ ...environment, host }) as HostedEnvironment

test.each(definitions)('$id declares the image that its hosts run', async ({ image, open }) => {
  const environment = await open(null)
  const played = isHosted(environment) && environment.host.kind === 'image' ? environment.host.image : null
  expect(image?.id ?? null).toBe(played)
})

test('every image has its own id, and an entry point and a list of packages where it says so', () => {
  expect(new Set(images.map(({ id }) => id)).size).toBe(images.length)
  for (const { id, folder, needs } of images) {
    expect(existsSync(hostImages[id] ?? '')).toBe(true)
    const list = join(import.meta.dirname, '../../..', folder, 'requirements.txt')
    if (needs.some((need) => typeof need === 'object')) expect(existsSync(list)).toBe(true)
  }
})

test.each([
  [
    'scienceworld',
    {},
    [/^Python \(python3\) cannot/, /apt-get install python3.*venv.*pip install/, /^Java/, /openjdk-17/],
  ],
  ['scienceworld-plain', { python3: '' }, [/^Java/, /apt-get install --yes openjdk-17/]],
  [
    'scienceworld',
    { python3: 'echo scienceworld', java: '' },
    [/lacks scienceworld/, /pip install -r .*scienceworld\/host\/requirements/],
  ],
  ['scienceworld', { python3: '', java: '' }, []],
  ['alfworld-textworld', {}, [/^Python/, /alfworld-textworld\/host\/requirements/]],
  [
    'alfworld-textworld',
    { python3: 'echo textworld alfworld' },
    [/lacks textworld, alfworld/, /ESPALIER_PYTHON/],
  ],
  ['desktop', {}, [/^Debian's packages xvfb/, /apt-get install/, /^Python/, /apt-get install python3/]],
  [
    'osworld',
    { python3: 'echo Python 3.11.0' },
    [/^Debian/, /apt-get/, /Python packages/, /espalier environments install desktop/],
  ],
  ['textcraft', {}, []],
] as const)('%s with the programs %j lacks what it needs', async (id, programs, expected) => {
  const variables = { PATH: await programsFolder(programs), ESPALIER_CACHE: await temporaryFolder() }
  const missing = await openRuntimes(variables)(await opened(id))
  const texts = missing.flatMap(({ missing: text, cure }) => [text, cure])
  expect(texts).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
})

test('a machine without Chromium plays no pages', async () => {
  const folder = await temporaryFolder()
  const none = { paths: [join(folder, 'chromium')], hasPackage: () => false }
  expect(lackingChromium({}, none)).toBe('There is no Chromium.')
  expect(lackingChromium({}, { ...none, hasPackage: () => true })).toBeNull()
  expect(lackingChromium({}, { ...none, paths: [import.meta.filename] })).toBeNull()
  const named = { ESPALIER_CHROMIUM: join(folder, 'none') }
  for (const id of ['miniwob', 'sites'])
    expect(await openRuntimes(named)(await opened(id))).toMatchObject([
      { missing: expect.stringContaining('none'), cure: expect.stringContaining('apt install chromium') },
    ])
})

test('nothing is missing of an environment on another machine', async () => {
  const missing = openRuntimes({ PATH: await programsFolder({}), ESPALIER_CACHE: await temporaryFolder() })
  const scienceworld = await opened('scienceworld')
  const address = 'http://127.0.0.1:1'
  expect(
    await missing(hosted({ kind: 'address', address, environment: 'scienceworld' }, scienceworld)),
  ).toEqual([])
  const machines = hosted({ kind: 'image', image: 'desktop', machines: () => [] }, await opened('osworld'))
  expect(await missing(machines)).toMatchObject([{ missing: expect.stringMatching(/^Python/) }])
})

test('a program that is installed meanwhile is found, and one that was found is not looked for again', async () => {
  const variables: Record<string, string> = { PATH: await programsFolder({ python3: '' }) }
  const missing = openRuntimes(variables)
  const scienceworld = await opened('scienceworld')
  expect(await missing(scienceworld)).toHaveLength(1)
  variables.PATH = await programsFolder({ python3: '', java: '' })
  expect(await missing(scienceworld)).toEqual([])
  variables.PATH = await programsFolder({})
  expect(await missing(scienceworld)).toEqual([])
})
