import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWithParents } from '../../../../shared/core/world/local/make-with-parents.ts'
import { testFolder } from './local-test-world.ts'

test('many may make one folder and its parents at once', async () => {
  const home = await testFolder()
  for (let round = 0; round < 100; round += 1) {
    const folder = join(home, `${round}`, 'a', 'new', 'folder')
    await Promise.all(Array.from({ length: 8 }, () => makeWithParents(folder)))
    expect((await stat(folder)).isDirectory()).toBe(true)
  }
})

test('a place that takes no folders is refused with its own error', async () => {
  await expect(makeWithParents('/proc/none/below')).rejects.toMatchObject({ code: 'ENOENT' })
})
