import { spawn } from 'node:child_process'

// Stands between an MCP server on stdio and the process that plays it: `node stdio-guard.ts PROGRAM ARGUMENT…`. The
// server runs in its own process group. When the input ends, because the session closed or the parent was killed, the
// guard lets the group exit. Then it kills the whole group.

const leaveWithin = 1000

const [program = '', ...parameters] = process.argv.slice(2)
const server = spawn(program, parameters, { stdio: ['pipe', 'inherit', 'inherit'], detached: true })

function killGroup(): void {
  if (server.pid === undefined) return
  try {
    process.kill(-server.pid, 'SIGKILL')
  } catch (error) {
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
// The server has then ended. The handler above deals with that.
server.stdin?.on('error', () => undefined)
process.stdin.on('error', () => undefined)
for (const end of ['end', 'close']) process.stdin.once(end, () => setTimeout(killGroup, leaveWithin))
// The end of the input stays unseen while the server leaves earlier input unread.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) killGroup()
}, leaveWithin).unref()
process.stdin.pipe(server.stdin ?? process.stdout)
process.once('SIGTERM', killGroup)
process.once('SIGINT', killGroup)
