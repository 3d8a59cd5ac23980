/** Scripts whose process must end with the npm that runs it. A shell between the two passes no signal on. */
const scripts = new Set(['quickstart', 'start', 'espalier', 'npx'])
const lookEvery = 250

/**
 * Calls back once the parent of this process has ended, if npm started this process: npm does not wait after a
 * signal, and SIGKILL leaves no other trace. A process started by a person or a service manager may outlive its
 * parent.
 */
export function watchParent(
  environment: Readonly<Record<string, string | undefined>>,
  onGone: () => void,
): void {
  if (!scripts.has(environment.npm_lifecycle_event ?? '')) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, lookEvery)
  timer.unref()
}
