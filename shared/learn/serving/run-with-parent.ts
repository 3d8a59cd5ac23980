import { spawn } from 'node:child_process'

// Runs a command in its own process group that does not outlive its parent process. The parent holds the other end of
// the standard input. When that closes, the command ends, whether the parent requested it or is gone.

const grace = 5000

const [program = '', ...parameters] = process.argv.slice(2)
const child = spawn(program, parameters, { stdio: ['pipe', 'inherit', 'inherit'], detached: true })
// Writing to a program that has left is no failure of ours.
child.stdin.on('error', () => child.stdin.destroy())

child.on('error', (error) => {
  process.stderr.write(`${program} could not be started: ${error.message}\n`, () => process.exit(127))
})
child.on('exit', (code, signal) => {
  endGroup()
  if (signal === null) process.exit(code ?? 1)
  process.stderr.write(`${program} was ended by ${signal}\n`, () => process.exit(1))
})

function leave(): void {
  child.stdin.end()
  child.kill('SIGTERM')
  setTimeout(endGroup, grace).unref()
}

function endGroup(): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // They have ended.
  }
}

process.stdin.on('end', leave).on('close', leave).on('error', leave).resume()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, leave)
