import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { listChanges, mergeChanges, readChanges } from '../../scripts/collect-changes.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const changelog = `# Changelog

Words.

## [0.2.0] - unreleased

### Added
- Old.

## [0.1.0]

### Added
- Older.
`

test('changes come first below their heading of the newest version, or below a new one', () => {
  const changes = readChanges('### Added\n- New.\n- Newer.\n\n### Fixed\n- Right.\n', 'a.md')
  expect(mergeChanges(changelog, changes)).toBe(
    changelog.replace('### Added\n- Old.\n', '### Added\n- New.\n- Newer.\n- Old.\n\n### Fixed\n- Right.\n'),
  )
})

test('a changelog with one version keeps its end', () => {
  const only = '# Changelog\n\n## [0.2.0] - unreleased\n\n### Fixed\n- Old.\n'
  expect(mergeChanges(only, { Fixed: ['- New.'] })).toBe(
    '# Changelog\n\n## [0.2.0] - unreleased\n\n### Fixed\n- New.\n- Old.\n',
  )
})

test.each([
  ['- No heading.', 'a.md:1'],
  ['### Added\nNo dash.', 'a.md:2'],
  ['### New\n- Unknown heading.', 'a.md:1'],
  ['### Added\n', 'a.md: the file has no change'],
])('refuses %j by its place', (text, message) => {
  expect(() => readChanges(text, 'a.md')).toThrow(message)
})

test('every file of .changes can be merged into the changelog, whose newest version is not released', () => {
  const text = read('CHANGELOG.md')
  expect(text).toMatch(/^## \[\d+\.\d+\.\d+\] - unreleased$/m)
  for (const { changes } of listChanges(root)) {
    const merged = mergeChanges(text, changes)
    for (const line of Object.values(changes).flat()) expect(merged).toContain(`\n${line}\n`)
  }
})

test('the form of an issue asks for the output of doctor', () => {
  const { body } = parse(read('.github/ISSUE_TEMPLATE/bug.yml')) as {
    body: { id?: string; attributes: { label?: string }; validations?: { required: boolean } }[]
  }
  const field = body.find(({ id }) => id === 'doctor')
  expect(field?.attributes.label).toContain('espalier doctor --json')
  expect(field?.validations?.required).toBe(true)
})

test('the version to cite is the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(parse(read('CITATION.cff'))).toMatchObject({ version, license: 'Apache-2.0' })
})
