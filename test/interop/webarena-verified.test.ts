import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ownSites, verifiedCases } from '../environments/webarena/verified/verified-cases.ts'
import { pythonWith } from '../support/python-venv.ts'

const program = join(import.meta.dirname, 'python/score_verified.py')
let python: string

beforeAll(async () => {
  python = await pythonWith('test/interop/verified-requirements.txt')
})

test('the evaluators of WebArena-Verified give every case the score that we give it', () => {
  const input = JSON.stringify({ sites: ownSites, cases: verifiedCases })
  const { status, stdout, stderr } = spawnSync(python, [program], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  const theirs = JSON.parse(stdout) as { score: number; status: string }[]
  const listed = verifiedCases.map(({ name }, index) => [name, theirs[index]?.score])
  expect(listed).toEqual(verifiedCases.map(({ name, score }) => [name, score]))
})
