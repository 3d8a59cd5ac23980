import { enableCompileCache } from 'node:module'
import { extname, join } from 'node:path'
import { cacheFolder } from '../shared/core/programs/cache-folder.ts'

/**
 * Caches compiled modules on disk, for this process and its child processes. A clone stores them with its packages,
 * an installed package in the user's cache folder. `NODE_COMPILE_CACHE` names another folder. A read-only folder is
 * no error.
 */
export function keepCompiled(): void {
  const isClone = extname(import.meta.filename) === '.ts'
  const folder = isClone
    ? join(import.meta.dirname, '../node_modules/.cache/compiled')
    : join(cacheFolder(), 'compiled')
  const { directory } = enableCompileCache(process.env.NODE_COMPILE_CACHE ?? folder)
  if (directory !== undefined && process.env.NODE_DISABLE_COMPILE_CACHE === undefined) {
    process.env.NODE_COMPILE_CACHE ??= folder
  }
}
