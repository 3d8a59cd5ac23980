import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkHosts } from '../../cli/checks/check-hosts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function folderWith(...programs: string[]): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of programs) {
    await writeFile(join(folder, name), '#!/bin/sh\n')
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

test.each([
  [['python3', 'java'], 'ok', 'are here'],
  [['python3'], 'warn', 'scienceworld cannot be played: Java cannot be started'],
  [['java'], 'warn', 'scienceworld and alfworld-textworld cannot be played: Python (python3) cannot'],
  [[], 'warn', 'Python (python3) and Java'],
])('with %j doctor says %s', async (programs, status, message) => {
  const check = await checkHosts({ PATH: await folderWith(...programs) })
  expect(check).toMatchObject({ status, message: expect.stringContaining(message) })
  expect(check.action === null).toBe(status === 'ok')
})
