/** What an episode of an annotation run is about, as its task says. */
export function attemptTask({ source, episode }: { source: string; episode: string }): string {
  return `${source}/${episode}`
}

/** The attempt that {@link attemptTask} names. */
export function readAttemptTask(task: string): { source: string; episode: string } {
  const slash = task.indexOf('/')
  return { source: task.slice(0, slash), episode: task.slice(slash + 1) }
}
