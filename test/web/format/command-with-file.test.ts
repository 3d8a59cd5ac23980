import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandWithFile } from '../../../web/format/command-with-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const examples = join(import.meta.dirname, '../../../examples')

test.each(['sweep.yaml', 'guess_number_env.py'])('a shell writes %s as it stands', async (name) => {
  const cwd = await temporaryFolder()
  const content = readFileSync(join(examples, name), 'utf8')
  const printed = execFileSync('sh', ['-c', commandWithFile(name, content, 'pwd')], { cwd })
  expect(printed.toString().trim()).toBe(cwd)
  expect(readFileSync(join(cwd, name), 'utf8')).toBe(content)
})
