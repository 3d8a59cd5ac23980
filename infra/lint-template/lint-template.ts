import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { buildApp } from '../build-app.ts'
import { offeredRegions, regions, regionsWithoutBudgets } from '../regions.ts'
import { settingPairs } from './setting-pairs.ts'

const usual = { mail: 'someone@example.com' }

interface LintedStage {
  context: Readonly<Record<string, string>>
  regions: readonly string[]
}

const stages: Record<string, LintedStage> = {
  usual: { context: usual, regions },
  'without budget': { context: { ...usual, budget: '0' }, regions: regionsWithoutBudgets },
  // Regions differ in their resources, not in how settings combine.
  ...Object.fromEntries(
    settingPairs().map((context, index): [string, LintedStage] => [
      `settings ${index + 1}`,
      { context, regions: regions.slice(0, 1) },
    ]),
  ),
}

async function lintTemplates(folder: string): Promise<number> {
  const { python } = await installPythonEnvironment(
    { requirements: join(import.meta.dirname, 'requirements.txt'), variables: process.env },
    (line) => console.error(line),
  )
  let count = 0
  for (const [name, { context, regions: where }] of Object.entries(stages)) {
    const templates = await synthesise(context, join(folder, name))
    count += templates.length
    if (!(await isClean(python, templates, where))) return 1
  }
  console.log(`No errors in ${count} templates, for ${offeredRegions.length} regions.`)
  return 0
}

async function isClean(python: string, files: readonly string[], where: readonly string[]): Promise<boolean> {
  // The package cannot run as a module, and its script holds the path of the environment's first folder.
  const words = ['-c', 'import sys; from cfnlint import runner; sys.exit(runner.main())']
  // W3005: the CDK also names dependencies that follow from references.
  words.push('--ignore-checks', 'W3005', '--non-zero-exit-code', 'error', '--regions')
  words.push(...where, '--', ...files)
  try {
    const { stdout } = await promisify(execFile)(python, words, { maxBuffer: 2 ** 26 })
    if (stdout !== '') console.log(stdout)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error)) throw error
    console.error(`${String(error.stdout)}\n${error.message.slice(0, 2000)}`)
    return false
  }
}

async function synthesise(context: LintedStage['context'], outdir: string): Promise<string[]> {
  const pages = join(outdir, 'pages')
  mkdirSync(pages, { recursive: true })
  writeFileSync(join(pages, 'index.html'), '<!doctype html>')
  const app = await buildApp({
    context: { 'aws:cdk:bundling-stacks': [], ...context },
    outdir,
    folder: outdir,
    pages,
  })
  return app.synth().stacks.map(({ templateFullPath }) => templateFullPath)
}

const folder = mkdtempSync(join(tmpdir(), 'espalier-templates-'))
try {
  process.exitCode = await lintTemplates(folder)
} finally {
  rmSync(folder, { recursive: true })
}
