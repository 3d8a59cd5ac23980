import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readNpmReport } from '../../../scripts/supply-chain/audit-npm.ts'
import { readPythonReport } from '../../../scripts/supply-chain/audit-python.ts'
import { allowListSchema, judgeFindings } from '../../../scripts/supply-chain/findings.ts'
import { lockedLists } from '../../../scripts/supply-chain/lock-python.ts'
import { makeSbom } from '../../../scripts/supply-chain/make-sbom.ts'
import { installedBy, lockMark, lockOf } from '../../../shared/core/programs/locked-list.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../../..')

const advisory = {
  source: 1234,
  name: 'left-pad',
  title: 'It pads the wrong side',
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
}
const npmReport = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: { 'left-pad': { via: [advisory] }, padder: { via: ['left-pad'] } },
})
const allowed = (until: string) => [
  {
    registry: 'npm' as const,
    package: 'left-pad',
    id: 'GHSA-aaaa-bbbb-cccc',
    reason: 'It runs in tests alone.',
    until,
  },
]

describe('an audit', () => {
  test('finds what the registry of npm knows, once', () => {
    expect(readNpmReport(npmReport)).toEqual({
      findings: [
        {
          registry: 'npm',
          package: 'left-pad',
          ids: ['GHSA-aaaa-bbbb-cccc', '1234'],
          title: 'It pads the wrong side',
        },
      ],
      gap: null,
    })
  })

  test.each([
    ['{"message": "405 Method Not Allowed", "statusCode": 405, "error": {}}', '405 Method Not Allowed'],
    ['', 'npm audit gave no report'],
  ])('notes a registry that cannot be asked: %j', (stdout, gap) => {
    expect(readNpmReport(stdout)).toEqual({ findings: [], gap: expect.stringContaining(gap) })
  })

  test('finds what the index of Python knows, and notes what it was not told', () => {
    const vulns = [{ id: 'PYSEC-1', aliases: ['CVE-2026-1'], fix_versions: [], description: 'Bad.\nVery.' }]
    const dependencies = [
      { name: 'one', version: '1', vulns },
      { name: 'two', skip_reason: 'not found' },
    ]
    expect(readPythonReport(JSON.stringify({ dependencies, fixes: [] }))).toEqual({
      findings: [{ registry: 'pypi', package: 'one', ids: ['PYSEC-1', 'CVE-2026-1'], title: 'Bad.' }],
      gap: '1 packages were not looked up, such as two',
    })
    expect(readPythonReport('', 'ConnectionError: no route')).toEqual({
      findings: [],
      gap: expect.stringContaining('no route'),
    })
  })

  test('refuses a finding unless it is allowed today', () => {
    const audits = [readNpmReport(npmReport)]
    const refusals = (until: string | null) =>
      judgeFindings(audits, until === null ? [] : allowed(until), '2026-11-28').refused.length
    expect([refusals(null), refusals('2026-11-27'), refusals('2026-11-28')]).toEqual([1, 1, 0])
  })

  test('refuses an entry that allows nothing, where everything could be asked for', () => {
    const none = { findings: [], gap: null }
    expect(judgeFindings([none], allowed('2027-01-01'), '2026-11-28').unused).toHaveLength(1)
    const gap = { findings: [], gap: 'offline' }
    expect(judgeFindings([gap], allowed('2027-01-01'), '2026-11-28').unused).toEqual([])
  })

  test('reads its own allow-list', () => {
    const path = join(root, 'scripts/supply-chain/allowed.json')
    expect(allowListSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).success).toBe(true)
  })
})

test('the bill of materials names what npm installs, what the dashboard holds and what Python takes', async () => {
  const licences = join(await temporaryFolder(), 'license.md')
  await writeFile(licences, '# Licenses\n\n## @scope/pages - 1.2.3 (MIT)\n\nText\n')
  const sbom = makeSbom(root, licences)
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = sbom.components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  const purls = sbom.components.map(({ purl }) => purl)
  expect(purls).toContain('pkg:npm/%40scope/pages@1.2.3')
  const python = purls.map((purl) => /^pkg:pypi\/(.+)@/.exec(purl)?.[1])
  expect(python).toEqual(expect.arrayContaining(['torch', 'scienceworld', 'pyautogui']))
  expect(new Set(purls).size).toBe(purls.length)
  expect(names).not.toContain('vitest')
  expect(sbom.metadata.component).toMatchObject({ name: 'espalier', version: expect.any(String) })
  expect(JSON.stringify(makeSbom(root, licences))).toBe(JSON.stringify(sbom))
})

describe('the lock of a list of Python packages', () => {
  test.each(lockedLists)(
    '$list: is of the list as it is, and has hashes for everything',
    async ({ list }) => {
      const path = join(root, list)
      expect(await installedBy(path)).toEqual(['--require-hashes', '-r', lockOf(path)])
      const lock = readFileSync(lockOf(path), 'utf8')
      const entries = lock
        .replaceAll('\\\n', '')
        .split('\n')
        .filter((line) => /^[A-Za-z0-9]/.test(line))
      for (const entry of entries) expect(entry).toMatch(/^\S+==\S+.*--hash=sha256:[0-9a-f]{64}/)
      const pins = readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => /^[A-Za-z0-9]/.test(line))
      const named = (line: string) =>
        (/^([A-Za-z0-9._-]+).*==([^\s;]+)/.exec(line) ?? []).slice(1).join('==').toLowerCase()
      const locked = entries.map((entry) => named(entry).replaceAll(/[._]/g, '-'))
      for (const pin of pins) expect(locked).toContain(named(pin).replaceAll(/[._]/g, '-'))
    },
  )

  test('of a list that was changed since is not used', async () => {
    const folder = await temporaryFolder()
    const list = join(folder, 'requirements.txt')
    await writeFile(list, 'one==2\n')
    await writeFile(join(folder, 'requirements.lock'), `${lockMark}${'0'.repeat(64)}\none==1\n`)
    expect(await installedBy(list)).toEqual(['-r', list])
  })
})
