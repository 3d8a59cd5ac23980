/** Ends the process with its reader: one that has seen enough, such as `head`, is no failure. With `2>&1` it reads both. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? 0 : 1)
    })
  }
}
