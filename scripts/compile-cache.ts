import { join } from 'node:path'

/**
 * Variables for processes of Node: they keep the code that they compiled, and what they stripped types from, for processes
 * that start later. The folder goes with the packages, and may be deleted.
 */
export const compileCache = {
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../node_modules/.cache/compiled'),
}
