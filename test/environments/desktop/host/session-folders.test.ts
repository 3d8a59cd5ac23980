import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeSessionFolder } from '../../../../shared/environments/desktop/host/session-folders.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

test('folders of hosts that were killed are removed, those of hosts that live and of others stay', async () => {
  const within = await temporaryFolder()
  // No process of Linux has such a number.
  await mkdir(join(within, 'espalier-desktop-99999999-abc/home'), { recursive: true })
  await writeFile(join(within, 'espalier-desktop-99999999-abc/home/left.txt'), '')
  await mkdir(join(within, `espalier-desktop-${process.ppid}-abc`))
  await mkdir(join(within, 'desktop-pictures'))
  await mkdir(join(within, 'desktop-99999999-notes'))
  const made = await makeSessionFolder(within)
  expect((await readdir(within)).sort()).toEqual(
    [
      `espalier-desktop-${process.ppid}-abc`,
      basename(made),
      'desktop-pictures',
      'desktop-99999999-notes',
    ].sort(),
  )
})
