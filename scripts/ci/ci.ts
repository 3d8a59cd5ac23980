import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { runSteps, type StepOutcome } from './run-steps.ts'
import { ciSteps, unitTests } from './steps.ts'
import { countTests } from './test-reports.ts'

/**
 * Runs every check, or the named ones: `.ci/run types lint`. Prints each step as it ends, with a failed one's output,
 * then the seconds of each, the slowest tests, every failed test, the summary of the unit tests, and `N passed, N failed`.
 * `ESPALIER_CI_CORES` and `ESPALIER_CI_MEMORY` (megabytes) override the machine's limits for concurrent steps.
 */
const root = resolve(import.meta.dirname, '../..')
const budget = {
  cores: Number(process.env.ESPALIER_CI_CORES ?? availableParallelism()),
  memory: Number(
    process.env.ESPALIER_CI_MEMORY ??
      (Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1e6) * 0.85,
  ),
}
/** Longer than the slowest step with empty caches, in seconds. */
const longest = 2400

const folder = mkdtempSync(join(tmpdir(), 'espalier-ci-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.chdir(root)
// The first process that compiles a file caches it for all steps.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
const interrupted = new AbortController()
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
for (const [name, code] of Object.entries(signals)) {
  process.on(name, () => {
    process.exitCode = code
    interrupted.abort(new Error(`Interrupted by ${name}.`))
  })
}

const seconds = (value: number | null) => (value === null ? '' : `${value.toFixed(1)} s`).padStart(9)

function describe({ name, status, reason, ...times }: StepOutcome): string {
  const failure = status === 'passed' ? '' : `  ${status.toUpperCase()}: ${reason}`
  return `${name.padEnd(34)}${seconds(times.seconds)}${seconds(times.processorSeconds)}${failure}`
}

function onEnd(outcome: StepOutcome): void {
  console.log(`=== ${describe(outcome)}`)
  if (outcome.status === 'failed') console.log(`${outcome.output.trimEnd()}\n=== end of ${outcome.name}`)
}

function report(outcomes: readonly StepOutcome[], elapsed: number): void {
  const { passed, failed, slowest, failures } = countTests(folder, root)
  console.log(`\n${'step'.padEnd(34)}  elapsed  processor`)
  for (const outcome of outcomes.toSorted((one, other) => other.seconds - one.seconds))
    console.log(describe(outcome))
  const processor = outcomes.reduce((sum, { processorSeconds }) => sum + (processorSeconds ?? 0), 0)
  console.log(`${'all'.padEnd(34)}${seconds(elapsed)}${seconds(processor)}`)
  console.log('\nslowest tests')
  for (const test of slowest) console.log(`${seconds(test.seconds)}  ${test.file}: ${test.name}`)
  if (failures.length > 0) console.log('\nfailed tests')
  for (const { file, name, message } of failures)
    console.log(`  ${file}: ${name}\n${message.replaceAll(/^/gm, '    ')}`)
  const lines =
    outcomes
      .find(({ name }) => name === unitTests)
      ?.output.trimEnd()
      .split('\n') ?? []
  const summary = lines.findLastIndex((line) =>
    stripVTControlCharacters(line).trim().startsWith('Test Files'),
  )
  console.log(
    `\n${summary === -1 ? '' : `${lines.slice(summary).join('\n')}\n\n`}${passed} passed, ${failed} failed`,
  )
  const allPassed = outcomes.every(({ status }) => status === 'passed')
  process.exitCode = allPassed && failed === 0 ? 0 : 1
}

const named = process.argv.slice(2)
const known = ciSteps(folder)
const unknown = named.filter((name) => !known.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no step ${unknown.join(', ')}. There are: ${known.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
const steps = known
  .filter(({ name }) => named.length === 0 || named.includes(name))
  .map((step) => ({
    ...step,
    after: (step.after ?? []).filter((name) => named.length === 0 || named.includes(name)),
  }))
const started = performance.now()
try {
  const outcomes = await runSteps({ steps, budget, folder, longest, onEnd, signal: interrupted.signal })
  report(outcomes, (performance.now() - started) / 1000)
} catch (error) {
  if (!interrupted.signal.aborted) throw error
  console.error(interrupted.signal.reason.message)
}
