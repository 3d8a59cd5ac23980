/**
 * A run's, loop's or training's status for people: the API's `succeeded` means that everything was played, not that it was
 * solved.
 */
export function runWord(status: string): string {
  return status === 'succeeded' ? 'completed' : status
}

/** An episode's status for people. Episodes that learn for others or ask a model solve no task. */
export function episodeStatusWord(status: string, purpose = 'play'): string {
  if (status === 'succeeded') return purpose === 'play' ? 'solved' : 'completed'
  return status === 'failed' ? 'not solved' : status
}
