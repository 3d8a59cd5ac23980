import { execFile } from 'node:child_process'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'

const trainer = resolve(import.meta.dirname, '../../../containers/trainer')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'base-'))
})

/** Asks the trainer's own Python for the name that it would load a base by. */
async function nameOf(base: object): Promise<string> {
  const program = `import json, sys
sys.path.insert(0, sys.argv[1])
from progress import TrainingError
from base import name_of
try:
    print("loads " + name_of(json.loads(sys.argv[2])))
except TrainingError as error:
    print(f"refused {error}")`
  const { stdout } = await promisify(execFile)('python3', ['-c', program, trainer, JSON.stringify(base)], {
    cwd: folder,
  })
  return stdout.trim()
}

test('the trainer loads hub names and absolute folders', async () => {
  expect(await nameOf({ hub: 'Qwen/Qwen3-0.6B', revision: 'main' })).toBe('loads Qwen/Qwen3-0.6B')
  expect(await nameOf({ folder: '/models/base' })).toBe('loads /models/base')
})

test.each([
  { hub: '/etc' },
  { hub: '../../x' },
  { hub: 'data' },
  { hub: 'a/..' },
  { hub: 'a/b', revision: '../../x' },
  { folder: 'models/base' },
])('the trainer refuses %j, whoever gave it', async (base) => {
  expect(await nameOf(base)).toMatch(/^refused /)
})

test('the trainer takes no folder for a hub name', async () => {
  await mkdir(join(folder, 'owner/name'), { recursive: true })
  expect(await nameOf({ hub: 'owner/name' })).toMatch(/^refused base\.hub owner\/name is also a folder/)
})
