import { join } from 'node:path'
import { ownExports } from '../shared/core/programs/own-package.ts'

export const testSettings = {
  env: {
    /**
     * Node processes share compiled code and stripped sources with later processes. The folder lies with the
     * packages, and may be deleted.
     */
    NODE_COMPILE_CACHE:
      process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../node_modules/.cache/compiled'),
  },
  /** The packages that examples import, resolved as the command does. */
  alias: Object.fromEntries(
    Object.entries(ownExports).map(([name, file]) => [
      name,
      join(import.meta.dirname, `../shared/${file}.ts`),
    ]),
  ),
  /** On a busy machine the final state may take much longer than vitest's default second. */
  expect: { poll: { timeout: 60_000 } },
}
