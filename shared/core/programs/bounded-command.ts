import { basename } from 'node:path'

/**
 * MiB of private writable memory that a Python process may map for each MiB that it may use: libraries map much that
 * they never touch.
 */
const mappedPerTaken = 4
/** MiB that it may map beside that: code, and the stacks of threads. */
const mappedBeside = 8192

const isPython = /^(?:python|pypy)[\d.]*$/

/**
 * Adds a limit on private writable memory (RLIMIT_DATA, Linux 4.7) to a program's command, so that one allocation cannot
 * exhaust the machine before `watchMemory` polls. RLIMIT_AS would count reserved addresses too: a browser that the
 * program starts reserves a terabyte. Only Python gets a limit: JVMs, Node and others map far more than they use.
 *
 * @param memory MiB that the program may use
 */
export function boundedCommand(command: readonly string[], memory: number): readonly string[] {
  const [file = ''] = command
  if (process.platform === 'win32' || !Number.isFinite(memory) || !isPythonCommand(file)) return command
  const kilobytes = (memory * mappedPerTaken + mappedBeside) * 1024
  return ['/bin/sh', '-c', `ulimit -d ${kilobytes} 2>/dev/null; exec "$@"`, file, ...command]
}

export function isPythonCommand(file: string): boolean {
  return isPython.test(basename(file))
}
