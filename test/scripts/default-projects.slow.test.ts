import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The names of the projects that have files in this folder. */
async function projectsOf(...words: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    'node',
    [join(root, 'node_modules/vitest/vitest.mjs'), 'list', '--filesOnly', '--json', ...words],
    { cwd: root, maxBuffer: 2 ** 26 },
  )
  const files = JSON.parse(stdout) as { projectName: string }[]
  return [...new Set(files.map(({ projectName }) => projectName))].toSorted()
}

test('vitest runs the unit tests unless another project is named', async () => {
  expect(await projectsOf()).toEqual(['isolated', 'unit'])
  expect(await projectsOf('--project', 'slow')).toEqual(['slow'])
  expect(await projectsOf('--project', 'aws')).toContain('aws (usual)')
})
