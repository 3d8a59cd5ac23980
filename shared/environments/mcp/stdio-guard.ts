import { spawn } from 'node:child_process'

// Stands between an MCP server on stdio and the process that plays it: `node stdio-guard.ts PROGRAM ARGUMENT…`. The server
// runs in a process group of its own. When the input ends, because the session was closed or the parent was killed, the
// group gets a moment to leave and is then killed, so that nothing of it lives on.

/** Milliseconds that a server may take to leave when its input has ended. */
const leaveWithin = 1000

const [program = '', ...parameters] = process.argv.slice(2)
const server = spawn(program, parameters, { stdio: ['pipe', 'inherit', 'inherit'], detached: true })

function killGroup(): void {
  if (server.pid === undefined) return
  try {
    process.kill(-server.pid, 'SIGKILL')
  } catch (error) {
    // Nothing is left in the group.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

server.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(127)
})
server.on('exit', (code) => {
  killGroup()
  process.exit(code ?? 1)
})
// The server has ended then, which is dealt with above.
server.stdin?.on('error', () => undefined)
process.stdin.on('error', () => undefined)
for (const end of ['end', 'close']) process.stdin.once(end, () => setTimeout(killGroup, leaveWithin))
// The end of the input is not seen while the server leaves what came before it unread.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) killGroup()
}, leaveWithin).unref()
process.stdin.pipe(server.stdin ?? process.stdout)
process.once('SIGTERM', killGroup)
process.once('SIGINT', killGroup)
