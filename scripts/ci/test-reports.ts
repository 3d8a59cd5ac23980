import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message?: string
    assertionResults: {
      fullName: string
      status?: string
      duration?: number | null
      failureMessages?: string[] | null
    }[]
  }[]
}

export interface TestCounts {
  passed: number
  failed: number
  slowest: { name: string; file: string; seconds: number }[]
  /** Includes files that failed as a whole, which vitest does not count among the failed tests. */
  failures: { name: string; file: string; message: string }[]
}

const keptLines = 12

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
  const failures = reports
    .flatMap(({ testResults }) => testResults)
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({
          name: fullName,
          file,
          message: shorten((failureMessages ?? []).join('\n')),
        }))
      return message && failed.length === 0
        ? [{ name: 'the file itself', file, message: shorten(message) }]
        : failed
    })
  return {
    failures,
    passed: reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0),
    failed: reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, 0),
    slowest: tests.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowest),
  }
}

function shorten(message: string): string {
  return stripVTControlCharacters(message).trim().split('\n').slice(0, keptLines).join('\n')
}
