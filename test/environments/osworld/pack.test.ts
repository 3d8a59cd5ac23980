import { describe, expect, test } from 'vitest'
import { isHosted } from '../../../shared/environments/environment.ts'
import { osworldDefinition } from '../../../shared/environments/osworld/definition.ts'
import { matchFile } from '../../../shared/environments/osworld/match-files.ts'
import { osworldPackFormat, osworldTaskPath } from '../../../shared/environments/osworld/pack-format.ts'
import { packedOsworldTaskSchema } from '../../../shared/environments/osworld/read-pack.ts'
import { selectTasks } from '../../../shared/environments/select-tasks.ts'
import { packOfOsworld as pack } from './pack-of-osworld.ts'
import { download, writeTask } from './write-task.ts'

const gold = 'https://h.org/files/gold.xlsx'
const calc = writeTask('c1')
const withFiles = writeTask('c2', {
  config: [download(['https://drive.google.com/uc?id=AB12&export=download', '/home/user/in.xlsx'])],
  evaluator: { func: 'compare_table', expected: { type: 'cloud_file', path: gold, dest: 'gold.xlsx' } },
})
const mail = writeTask('m1', { related_apps: ['thunderbird'] })
const examples = {
  'evaluation_examples/test_all.json': { thunderbird: ['m1'], libreoffice_calc: ['c2', 'c1'] },
  'evaluation_examples/examples/thunderbird/m1.json': mail,
  'evaluation_examples/examples/libreoffice_calc/c1.json': calc,
  'evaluation_examples/examples/libreoffice_calc/c2.json': withFiles,
  'evaluation_examples/examples/libreoffice_calc/not-listed.json': writeTask('not-listed'),
}

async function open(files: Record<string, unknown>, options = {}) {
  const environment = await osworldDefinition.open(await pack(files), options)
  if (!isHosted(environment)) throw new Error('osworld runs on hosts')
  return environment
}

describe('the pack of OSWorld', () => {
  test('has the tasks that test_all.json lists, those that can be played first', async () => {
    const environment = await open(examples)
    expect(environment.tasks()).toEqual([
      {
        id: 'libreoffice_calc/c1',
        split: 'test',
        type: 'libreoffice_calc',
        description: 'Put 5 into the cell A1.',
      },
      expect.objectContaining({
        id: 'thunderbird/m1',
        split: 'lacking',
        type: 'thunderbird',
        lacks: ['Thunderbird'],
      }),
      expect.objectContaining({ id: 'libreoffice_calc/c2', split: 'lacking', lacks: ['its 2 files'] }),
    ])
    expect(environment.description).toMatch(/1 of 3 /)
    expect(environment.host).toMatchObject({ kind: 'image', image: 'desktop' })
  })

  test('has every task file where there is no such list', async () => {
    const { 'evaluation_examples/test_all.json': _list, ...others } = examples
    const ids = (await open({ ...others, 'settings.json': { a: 1 }, 'notes.json': 'no JSON' }))
      .tasks()
      .map(({ id }) => id)
    expect(ids.toSorted()).toEqual([
      'libreoffice_calc/c1',
      'libreoffice_calc/c2',
      'libreoffice_calc/not-listed',
      'thunderbird/m1',
    ])
  })

  test('has the files of a task in its file, and the task as it was written', async () => {
    const files = { ...examples, 'files/AB12.xlsx': 'in', 'files/gold.xlsx': 'gold' }
    const stored = await pack(files)
    const read = JSON.parse(
      new TextDecoder().decode(await stored.read(osworldTaskPath('libreoffice_calc/c2'))),
    )
    expect(read.task).toEqual(withFiles)
    expect(packedOsworldTaskSchema.parse(read).files).toEqual({
      'https://drive.google.com/uc?id=AB12&export=download': btoa('in'),
      [gold]: btoa('gold'),
    })
    const tasks = (await open(files)).tasks()
    expect(tasks.find(({ id }) => id === 'libreoffice_calc/c2')).toMatchObject({ split: 'test' })
    expect(osworldPackFormat.filesOf?.('libreoffice_calc/c2')).toEqual(['tasks/libreoffice_calc/c2.json'])
  })

  test('keeps apart tasks of two domains that have the same id, as some of OSWorld do', async () => {
    const both = { 'examples/chrome/x.json': calc, 'examples/thunderbird/x.json': mail }
    const again = { ...both, 'examples/thunderbird/x.json': { ...mail, id: 'c1' } }
    expect((await open(again)).tasks().map(({ id }) => id)).toEqual(['chrome/c1', 'thunderbird/c1'])
  })

  test('refuses a task whose files are too large', async () => {
    const files = { ...examples, 'files/gold.xlsx': new Uint8Array(25 * 1024 * 1024) }
    await expect(pack(files)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/task c2 have more than 24 MiB \(files\/gold\.xlsx/),
    })
  })

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['without a task', { 'a.json': {} }, /no task in it/],
    [
      'with a task twice',
      { 'a/x.json': calc, 'a/y.json': calc },
      /a\/y\.json and a\/x\.json both have the task a\/c1/,
    ],
    [
      'with a task that is wrong',
      { 'a/x.json': writeTask('c1', { instruction: 5 }) },
      /a\/x\.json: instruction: /,
    ],
    [
      'that lists a task that is not there',
      { 'test_all.json': { vlc: ['v1'] } },
      /lists vlc\/v1, and examples\/vlc\/v1\.json/,
    ],
    ['with another list', { 'test_all.json': ['v1'] }, /has to list the ids/],
  ])('is not made of a folder %s', async (_what, files, message) => {
    await expect(pack(files)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    })
  })

  test('plays the split test, and refuses what is lacking with the reason', async () => {
    const environment = await open(examples)
    expect(selectTasks(environment, { split: 'test' }).map(({ id }) => id)).toEqual(['libreoffice_calc/c1'])
    expect(() => selectTasks(environment, { ids: ['thunderbird/m1'] })).toThrow(
      /thunderbird\/m1 of osworld cannot be played here: it needs Thunderbird/,
    )
  })

  test('has rules and steps as the options say', async () => {
    const environment = await open(examples, { observation: 'som', max_steps: 30 })
    expect(environment.default_max_steps).toBe(30)
    const [task] = environment.tasks()
    expect(task && environment.describe(task)).toMatchObject({
      blocks: true,
      rules: expect.stringContaining('tag_3'),
    })
  })
})

describe('the file of an address', () => {
  const drive = { url: 'https://drive.google.com/uc?id=AB12&export=download', name: 'in.xlsx' }
  const named = { url: 'https://h.org/data/My%20file.xlsx', name: 'in.xlsx' }

  test.each([
    ['its host and path', named, 'h.org/data/My file.xlsx'],
    ['its path, in a folder', named, 'copies/data/My file.xlsx'],
    ['its last part', named, 'x/My file.xlsx'],
    ["its name, in the task's folder", named, 'cache/t1/in.xlsx'],
    // Python: uuid.uuid5(uuid.NAMESPACE_URL, url)
    ["its UUID, as in OSWorld's cache", named, 'cache/t1/7d476d46-47aa-5a95-934a-9538f5727673_in.xlsx'],
    ["Drive's id", drive, 'files/AB12'],
    ["Drive's id with an ending", drive, 'files/AB12.xlsx'],
    ['its name, which one file has', drive, 'files/in.xlsx'],
  ])('may be found by %s', (_how, file, path) => {
    expect(matchFile(['other.xlsx', 'uc', 'download', path], 't1', file)).toBe(path)
  })

  test('is not guessed where several have its name', () => {
    expect(matchFile(['a/in.xlsx', 'b/in.xlsx'], 't1', drive)).toBeNull()
    expect(matchFile(['a/uc', 'a/AB123.xlsx'], 't1', drive)).toBeNull()
  })
})
