import { expect, test, vi } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { FilesLeft } from './files-left.ts'

test('prints the number of files left, at most once in ten seconds', () => {
  const lines: string[] = []
  let now = 1000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const reporter = new FilesLeft()
  reporter.onInit({ logger: { log: (line: string) => lines.push(line) } } as unknown as Vitest)
  reporter.onTestRunStart(Array.from({ length: 5 }) as TestSpecification[])
  for (const passed of [1000, 9000, 100, 10_000]) {
    now += passed
    reporter.onTestModuleEnd()
  }
  clock.mockRestore()
  expect(lines).toEqual([' 3 of 5 test files left', ' 1 of 5 test files left'])
})
