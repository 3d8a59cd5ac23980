#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { extname, join } from 'node:path'
import { cacheFolder } from '../shared/core/programs/cache-folder.ts'
import { hideVariables } from '../shared/core/programs/hide-variables.ts'
import { endWithReader } from './end-with-reader.ts'

// Most machines have no proxy and need not load its module.
if (Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name))) {
  const { exemptLoopback } = await import('../shared/core/outbound/proxy-settings.ts')
  exemptLoopback(process.env)
}

// Programs of the same user can read this process's variables, so no key may remain in them.
hideVariables()

endWithReader()

// Only modules loaded after this call are cached.
keepCompiled()
const { runCli } = await import('./run-cli.ts')
const { processTerminal } = await import('./terminal.ts')
process.exitCode = await runCli(process.argv.slice(2), processTerminal())

/**
 * Caches compiled modules on disk, for this process and its child processes. A clone stores them with its packages,
 * an installed package in the user's cache folder. `NODE_COMPILE_CACHE` names another folder. A read-only folder is
 * no error.
 */
function keepCompiled(): void {
  const isClone = extname(import.meta.filename) === '.ts'
  const folder = isClone
    ? join(import.meta.dirname, '../node_modules/.cache/compiled')
    : join(cacheFolder(), 'compiled')
  const { directory } = enableCompileCache(process.env.NODE_COMPILE_CACHE ?? folder)
  if (directory !== undefined && process.env.NODE_DISABLE_COMPILE_CACHE === undefined) {
    process.env.NODE_COMPILE_CACHE ??= folder
  }
}
