import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const helper = join(import.meta.dirname, '../../cli/end-with-reader.ts')

test('a reader that ends early is no failure', async () => {
  const program = `
    import { endWithReader } from ${JSON.stringify(helper)}
    endWithReader()
    setInterval(() => console.log('a line\\n'.repeat(10_000)), 1)`
  const command = `"${process.execPath}" --input-type=module -e "$PROGRAM" | head -1; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = await run('bash', ['-c', command], {
    env: { ...process.env, PROGRAM: program },
  })
  expect(stdout).toBe('a line\n0\n')
  expect(stderr).toBe('')
})
