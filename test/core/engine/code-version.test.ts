import { cp, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { codeVersion } from '../../../shared/core/engine/code-version.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('the code of an episode has another version when a prompt, the sandbox or a search is another, and the same else', async () => {
  const folder = await temporaryFolder()
  await cp(resolve(import.meta.dirname, '../../../shared'), folder, { recursive: true })
  const before = codeVersion('1.0.0', folder)
  expect(before).toMatch(/^1\.0\.0\+[0-9a-f]{12}$/)
  const seen = new Set([before])
  for (const part of ['play/methods/prompts', 'play/sandbox', 'play/search']) {
    await writeFile(join(folder, part, 'added.ts'), 'export const added = 1\n')
    seen.add(codeVersion('1.0.0', folder))
  }
  expect(seen.size).toBe(4)
  const last = codeVersion('1.0.0', folder)
  await writeFile(join(folder, 'insight/reports', 'added.ts'), 'export const added = 1\n')
  expect(codeVersion('1.0.0', folder)).toBe(last)
})
