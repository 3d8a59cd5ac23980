import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { loadAddedMethods } from '../../../../shared/play/methods/added/load-added-methods.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** A stand-in for Python whose process does something at its first starts, and describes a method afterwards. */
async function interpreter(starts: number, does: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'helper-'))
  const parameters = {
    type: 'object',
    properties: { max_steps: { type: 'integer', minimum: 1, default: 3 } },
  }
  const answer = {
    id: 1,
    methods: [{ id: 'own', description: 'Waits.', parameters, branches: false }],
    files: [{ name: 'own.py', sha256: '00' }],
  }
  await writeFile(join(folder, 'answer.json'), JSON.stringify(answer))
  const program = `#!/bin/sh
echo x >> ${folder}/starts
if [ $(wc -l < ${folder}/starts) -le ${starts} ]; then ${does}; fi
read question
cat ${folder}/answer.json
echo
cat > /dev/null
`
  await writeFile(join(folder, 'helper'), program)
  await chmod(join(folder, 'helper'), 0o755)
  vi.stubEnv('ESPALIER_PYTHON', join(folder, 'helper'))
  await writeFile(join(folder, 'own.py'), '')
  await writeFile(join(folder, 'methods.json'), JSON.stringify({ methods: { own: { file: './own.py' } } }))
  return join(folder, 'methods.json')
}

test('a helper that is killed while a method loads is started again', async () => {
  const path = await interpreter(3, 'kill -9 $$')
  const [own] = await loadAddedMethods({ path })
  expect(own?.method).toMatchObject({ id: 'own' })
})

test('one that is killed again and again fails its worker, which starts anew, and blames no file', async () => {
  const path = await interpreter(100, 'kill -9 $$')
  await expect(loadAddedMethods({ path, versions: { own: 'any' } })).rejects.toMatchObject({ isKilled: true })
  const [own] = await loadAddedMethods({ path })
  expect(own?.method).toMatchObject({ unavailable: expect.stringMatching(/SIGKILL.*killed from outside/) })
  expect(own?.method).not.toMatchObject({ unavailable: expect.stringContaining('Mend the file') })
})

test('a file that fails by itself is to be mended, at once', async () => {
  const path = await interpreter(1, 'echo "ValueError: wrong" >&2; exit 1')
  const [own] = await loadAddedMethods({ path })
  expect(own?.method).toMatchObject({
    unavailable: expect.stringMatching(/ValueError: wrong.*Mend the file/),
  })
})
