import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeHome } from '../../../../shared/environments/desktop/host/isolation.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

async function places() {
  const folder = await temporaryFolder()
  return { home: join(folder, 'user'), mark: join(folder, 'mark') }
}

test('a home that has files of somebody is not taken, and keeps them', async () => {
  const { home, mark } = await places()
  await mkdir(home)
  await writeFile(join(home, 'letter.txt'), '')
  await expect(takeHome(home, mark)).rejects.toMatchObject({ code: 'not_supported' })
  expect(await readdir(home)).toEqual(['letter.txt'])
})

test('a home is that of one desktop at a time, and empty before and after', async () => {
  const { home, mark } = await places()
  const giveBack = await takeHome(home, mark)
  await mkdir(join(home, 'Desktop'))
  await expect(takeHome(home, mark)).rejects.toMatchObject({ code: 'host_full' })
  await giveBack()
  expect(await readdir(home)).toEqual([])
  // A host that was killed has left a home that is known to be a desktop's.
  await writeFile(join(home, 'left.txt'), '')
  await (await takeHome(home, mark))()
  expect(await readdir(home)).toEqual([])
})
