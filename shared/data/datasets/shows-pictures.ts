import { type AttemptNeeds, type ListedAttempt, type OpenAttempts, openAttempts } from './open-attempts.ts'

const mostListed = 50

export async function showsPictures(needs: AttemptNeeds, run: string): Promise<boolean> {
  const attempts = openAttempts(needs)
  const source = await attempts.source(run)
  if (source.sort !== 'run' || source.run.request.model.max_pictures === 0) return false
  let listed = 0
  for await (const each of attempts.list(source)) {
    if (typeof each !== 'string') return treeShows(attempts, each)
    listed += 1
    if (listed === mostListed) return false
  }
  return false
}

async function treeShows(attempts: OpenAttempts, listed: ListedAttempt): Promise<boolean> {
  const facts = { ...listed.facts, task_split: null }
  try {
    const { nodes } = await attempts.reopen({ ...listed, facts }, async () => null).tree()
    return nodes.some(({ observation }) => observation.some(({ type }) => type === 'blob'))
  } catch {
    // The build reads this tree too, and reports its fault.
    return false
  }
}
