import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lockOf } from '../../shared/core/programs/locked-list.ts'
import { auditNpm } from './audit-npm.ts'
import { auditPython } from './audit-python.ts'
import { allowListSchema, judgeFindings } from './findings.ts'

// `npm run audit`: fails for a known vulnerability of an installed package, unless `allowed.json` has it. An
// unreachable registry is noted, and fails nothing.

const root = resolve(import.meta.dirname, '../..')
const allowed = allowListSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'allowed.json'), 'utf8')),
)
const lists = execFileSync('git', ['ls-files', '*requirements*.txt'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((name) => name !== '')
  .map((name) => join(root, name))
  // A lock also has the dependencies of a list's packages.
  .map((list) => (existsSync(lockOf(list)) ? lockOf(list) : list))
const audits = { npm: auditNpm(root), pypi: await auditPython(lists) }
const today = new Date().toISOString().slice(0, 10)
const { refused, unused } = judgeFindings(Object.values(audits), allowed, today)
for (const [registry, { findings, gap }] of Object.entries(audits)) {
  console.log(`${registry}: ${findings.length} known vulnerabilities`)
  if (gap !== null) console.log(`  NOTE: not everything could be asked for. ${gap}`)
}
for (const { registry, package: name, ids, title } of refused) {
  console.log(`REFUSED ${registry} ${name}: ${ids.join(', ')}: ${title}`)
}
for (const { id, package: name } of unused) {
  console.log(`UNUSED ${name} ${id}: take it out of scripts/supply-chain/allowed.json`)
}
if (refused.length > 0) {
  console.log(
    'Update these packages, or allow each in scripts/supply-chain/allowed.json with a reason and a day.',
  )
}
process.exitCode = refused.length > 0 || unused.length > 0 ? 1 : 0
