import { basename } from 'node:path'

/** Addresses that a Python process may map for each MiB that it may take: libraries map much that they never touch. */
const mappedPerTaken = 4
/** MiB that it may map beside that: code, and the stacks of threads. */
const mappedBeside = 8192

const isPython = /^(?:python|pypy)[\d.]*$/

/**
 * The command of a program with a bound on its addresses (RLIMIT_AS), so that one allocation cannot take the machine before
 * `watchMemory` looks. Python alone gets one: JVMs, Node and the like map far more than they take.
 *
 * @param memory MiB that the program may take
 */
export function boundedCommand(command: readonly string[], memory: number): readonly string[] {
  const [file = ''] = command
  if (process.platform === 'win32' || !Number.isFinite(memory) || !isPython.test(basename(file)))
    return command
  const kilobytes = (memory * mappedPerTaken + mappedBeside) * 1024
  return ['/bin/sh', '-c', `ulimit -v ${kilobytes} 2>/dev/null; exec "$@"`, file, ...command]
}
