import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countTests } from '../../../scripts/ci/test-reports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = '/project'

function reportOf(testResults: object[], passed: number, failed: number) {
  return JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults })
}

test('failed tests of every report are listed with their file and message, and files that could not run', async () => {
  const folder = await temporaryFolder()
  const name = (file: string) => join(root, file)
  await writeFile(
    join(folder, 'unit.json'),
    reportOf(
      [
        {
          name: name('test/a.test.ts'),
          message: '',
          assertionResults: [
            { fullName: 'holds', status: 'passed', duration: 2000, failureMessages: [] },
            {
              fullName: 'breaks',
              status: 'failed',
              duration: 5,
              failureMessages: ['\u001b[31mexpected 1\u001b[39m\nat x'],
            },
          ],
        },
        { name: name('test/b.test.ts'), message: 'Cannot find module', assertionResults: [] },
      ],
      1,
      1,
    ),
  )
  await writeFile(
    join(folder, 'slow.json'),
    reportOf([{ name: name('test/c.test.ts'), assertionResults: [] }], 3, 0),
  )
  expect(countTests(folder, root)).toMatchObject({
    passed: 4,
    failed: 1,
    failures: [
      { file: 'test/a.test.ts', name: 'breaks', message: 'expected 1\nat x' },
      { file: 'test/b.test.ts', name: 'the file itself', message: 'Cannot find module' },
    ],
  })
})
