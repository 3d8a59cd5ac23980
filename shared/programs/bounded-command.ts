import { basename } from 'node:path'

/**
 * MiB of addresses that a Python process may map for each MiB that it may use: libraries map much that they never
 * touch.
 */
const mappedPerTaken = 4
/** MiB that it may map beside that: code, and the stacks of threads. */
const mappedBeside = 8192

const isPython = /^(?:python|pypy)[\d.]*$/

/**
 * Adds a limit on addresses (RLIMIT_AS) to a program's command, so that one allocation cannot exhaust the machine
 * before `watchMemory` polls. Only Python gets one: JVMs, Node and others map far more than they use.
 *
 * @param memory MiB that the program may use
 */
export function boundedCommand(command: readonly string[], memory: number): readonly string[] {
  const [file = ''] = command
  if (process.platform === 'win32' || !Number.isFinite(memory) || !isPythonCommand(file)) return command
  const kilobytes = (memory * mappedPerTaken + mappedBeside) * 1024
  return ['/bin/sh', '-c', `ulimit -v ${kilobytes} 2>/dev/null; exec "$@"`, file, ...command]
}

/** Whether a command's program is a Python, by its name. */
export function isPythonCommand(file: string): boolean {
  return isPython.test(basename(file))
}
