import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Where the outputs recorded from the reference implementations are; they are no part of the project. */
export const conformanceFolder =
  process.env.CONFORMANCE_DIR ?? join(import.meta.dirname, '../../../shared/conformance')

/** Reads a recorded JSON file. The caller says what is in it. */
export function readConformance<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(conformanceFolder, file), 'utf8')) as Content
}

/**
 * A `describe` over a recorded file. Where the file is absent its tests are reported as skipped, with the reason in
 * their title.
 *
 * @param load Reads what the tests need. It is called only where the file exists, before any test is defined.
 */
export function describeWithConformance<Content>(
  file: string,
  load: () => Content,
  defineTests: (content: Content) => void,
): void {
  const isAbsent = !existsSync(join(conformanceFolder, file))
  const title = isAbsent ? `${file} (skipped: the file is absent; CONFORMANCE_DIR names the folder)` : file
  describe.skipIf(isAbsent)(title, () => {
    if (isAbsent) test('needs the recorded file', () => expect.unreachable())
    else defineTests(load())
  })
}
