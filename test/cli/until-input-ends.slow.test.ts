import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readServiceFile } from '../../shared/core/world/local/service-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const entry = join(import.meta.dirname, '../../cli/espalier.ts')

async function openChild(words: readonly string[]) {
  const folder = await temporaryFolder()
  const child = spawn(process.execPath, [
    entry,
    'serve',
    '--port',
    '0',
    '--json',
    '--folder',
    folder,
    ...words,
  ])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { child, folder }
}

test.each([0, 1])(
  'a service of %i workers commits and leaves its folder when its parent is gone with all pipes',
  async (workers) => {
    const { child, folder } = await openChild(['--until-input-ends', '--workers', String(workers)])
    const exit = once(child, 'exit')
    child.stdout.destroy()
    child.stderr.destroy()
    child.stdin.end()
    expect(await exit).toEqual([0, null])
    expect(existsSync(join(folder, 'service.json'))).toBe(false)
  },
)

test('without the option the end of the input says nothing', async () => {
  const { child, folder } = await openChild(['--workers', '0'])
  child.stdin.end()
  await once(child.stdin, 'close')
  const { address = '' } = (await readServiceFile(folder)) ?? {}
  expect((await fetch(new URL('/health', address))).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
