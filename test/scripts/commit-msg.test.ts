import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const hook = join(import.meta.dirname, '../../scripts/commit-msg')

/** The complaints of the hook about a message, or none. */
async function complaints(message: string): Promise<string[]> {
  const file = join(await temporaryFolder(), 'message')
  writeFileSync(file, message)
  const { status, stderr } = spawnSync(hook, [file], { encoding: 'utf8' })
  const lines = stderr.split('\n').filter((line) => line.startsWith('- '))
  expect(status).toBe(lines.length === 0 ? 0 : 1)
  return lines
}

test.each([
  'fix(models): honour Retry-After: 0 with a minimum delay',
  'feat!: drop an old route\n\nNo client calls it.',
  'docs(shared,web): delete comments\n# Please enter the commit message',
  `test: ${'x'.repeat(66)}`,
  'Merge branch main',
])('takes %j', async (message) => {
  expect(await complaints(message)).toEqual([])
})

test.each([
  ['Fix the models', 'type'],
  ['wip: models', 'type'],
  ['fix(Models): name it', 'type'],
  ['fix:name it', 'type'],
  [`test: ${'x'.repeat(67)}`, '72'],
  ['fix: name it.', 'full stop'],
  ['fix: added a name', 'imperative'],
  ['fix: name it\nand more', 'second line'],
])('refuses %j because of the %s', async (message, reason) => {
  const lines = await complaints(message)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(reason)
})
