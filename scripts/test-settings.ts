import { join } from 'node:path'
import { ownExports } from '../shared/packages/own-package.ts'

/** What every suite of tests shares. */
export const testSettings = {
  env: {
    /**
     * Processes of Node keep the code that they compiled, and what they stripped types from, for processes that start
     * later. The folder goes with the packages, and may be deleted.
     */
    NODE_COMPILE_CACHE:
      process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../node_modules/.cache/compiled'),
  },
  /** What examples import, as the command resolves it. */
  alias: Object.fromEntries(
    Object.entries(ownExports).map(([name, file]) => [
      name,
      join(import.meta.dirname, `../shared/${file}.ts`),
    ]),
  ),
  /** On a busy machine what comes in the end may take much longer than the second that vitest would wait. */
  expect: { poll: { timeout: 60_000 } },
}
