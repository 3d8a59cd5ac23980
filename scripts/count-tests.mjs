// Adds up vitest's JSON reports of a folder, prints `N passed, N failed`, and fails when a test or a step of .ci/run did.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '.', failedSteps = '0'] = process.argv.slice(2)
const reports = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
const sum = (field) => reports.reduce((total, report) => total + report[field], 0)
const [passed, failed] = [sum('numPassedTests'), sum('numFailedTests')]
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = passed === 0 || failed > 0 || Number(failedSteps) > 0 ? 1 : 0
