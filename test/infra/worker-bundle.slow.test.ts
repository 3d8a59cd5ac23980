import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundleFunction } from '../../infra/bundle-function.ts'
import { projectRoot } from '../../infra/bundling.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)

test('the image of workers holds all that its program needs, and says what its stage has not set', async () => {
  const out = await temporaryFolder()
  const entry = join(projectRoot, 'functions', 'aws', 'worker', 'worker-process.ts')
  await bundleFunction({ entry, out, files: {} })
  // What is played alone has a process of its own, and programs of models threads.
  expect(await readdir(out)).toEqual(
    expect.arrayContaining(['index.mjs', 'alone-process.mjs', 'sandbox-thread.mjs']),
  )
  const ended = run(process.execPath, [join(out, 'index.mjs')], { cwd: out, env: { ESPALIER_STAGE: 'dev' } })
  await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ESPALIER_TABLE') })
})
