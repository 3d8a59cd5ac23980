import { defineConfig } from 'vitest/config'
import { FilesLeft } from './test/support/files-left.ts'
import { vitestProjects } from './test/test-projects.ts'

/** Vitest's option of the command line; its types leave it out of configurations. */
const byDefault = { project: ['unit', 'isolated'] }

/**
 * The tests by project. A file's name or folder decides: `*.test.ts` share the modules and globals of a worker, and leave
 * them as they were; `*.isolated.test.ts` have a process of their own; the others run when asked for, such as
 * `npm test -- --project slow`.
 */
export default defineConfig({
  test: {
    ...byDefault,
    reporters: ['default', new FilesLeft()],
    projects: vitestProjects(),
  },
})
