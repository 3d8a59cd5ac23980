export function endWithInput(interruption: AbortSignal): void {
  // The output has lost its reader too. That must not end this process before it has committed.
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => undefined)
  }
  process.stdin.on('end', () => {
    if (!interruption.aborted) process.kill(process.pid, 'SIGTERM')
  })
  process.stdin.resume().unref?.()
}
