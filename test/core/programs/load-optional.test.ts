import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { errorCodes } from '../../../shared/core/contracts/errors.ts'
import { loadOptional } from '../../../shared/core/programs/load-optional.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Imports a module of this text as Node does, past the transforms of tests. */
async function imported(text: string): Promise<unknown> {
  const folder = await temporaryFolder()
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'module.mjs')
  await writeFile(file, text)
  return import(/* @vite-ignore */ pathToFileURL(file).href)
}

test('what is there is loaded', async () => {
  const loaded = await loadOptional(['zod'], 'A test', () => imported('export const one = 1'))
  expect(loaded).toMatchObject({ one: 1 })
})

test('a package that is absent is named, with the way out', async () => {
  const load = () => imported(`import 'absent-package/part'`)
  await expect(loadOptional(['zod', 'absent-package'], 'WebShop', load)).rejects.toMatchObject({
    code: 'not_supported' satisfies keyof typeof errorCodes,
    message: expect.stringMatching(
      /^WebShop needs zod and absent-package, .*npm install zod absent-package$/,
    ),
  })
})

test('another fault of the code is no absent package', async () => {
  const load = () => imported(`import 'another-package'`)
  await expect(loadOptional(['absent-package'], 'A test', load)).rejects.toThrow(/another-package/)
  await expect(
    loadOptional(['absent-package'], 'A test', () => imported('throw new RangeError("a bug")')),
  ).rejects.toThrow('a bug')
})
