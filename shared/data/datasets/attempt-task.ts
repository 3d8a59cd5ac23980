export function attemptTask({ source, episode }: { source: string; episode: string }): string {
  return `${source}/${episode}`
}

export function readAttemptTask(task: string): { source: string; episode: string } {
  const slash = task.indexOf('/')
  return { source: task.slice(0, slash), episode: task.slice(slash + 1) }
}
