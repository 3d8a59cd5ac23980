#!/usr/bin/env node
import { hideVariables } from '../shared/core/programs/hide-variables.ts'
import { keepCompiled } from './keep-compiled.ts'

// Most machines have no proxy and need not load its module.
if (Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name))) {
  const { exemptLoopback } = await import('../shared/core/outbound/proxy-settings.ts')
  exemptLoopback(process.env)
}

// Programs of the same user can read this process's variables, so no key may remain in them.
hideVariables()

// A reader that has seen enough, such as `head`, is no failure. With `2>&1` it reads both.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}

// Only modules loaded after this call are cached.
keepCompiled()
const { runCli } = await import('./run-cli.ts')
const { processTerminal } = await import('./terminal.ts')
process.exitCode = await runCli(process.argv.slice(2), processTerminal())
