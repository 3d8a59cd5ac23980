import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The used fields of a report of vitest's JSON reporter. */
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    assertionResults: { fullName: string; duration?: number | null }[]
  }[]
}

export interface TestCounts {
  passed: number
  failed: number
  slowest: { name: string; file: string; seconds: number }[]
}

export function countTests(folder: string, root: string, slowest = 20): TestCounts {
  const reports = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as VitestReport)
  const tests = reports
    .flatMap(({ testResults }) => testResults)
    .flatMap(({ name: file, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        name: fullName,
        file: relative(root, file),
        seconds: (duration ?? 0) / 1000,
      })),
    )
  return {
    passed: reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0),
    failed: reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, 0),
    slowest: tests.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowest),
  }
}
