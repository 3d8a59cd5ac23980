/** Scripts whose process ends with the npm that runs it. A shell stands between the two, and passes no signal on. */
const scripts = new Set(['quickstart', 'start', 'espalier', 'npx'])
/** Milliseconds between looks at the parent. */
const lookEvery = 250

/**
 * Calls back once the parent of this process has ended, if npm started this process: npm does not wait
 * after a signal, and SIGKILL leaves no other trace. A process that a person or a service manager started may outlive its parent.
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
