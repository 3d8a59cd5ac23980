import type { PackFormat } from '../data-pack.ts'

/** Where a pack lists its tasks. */
export const osworldIndex = 'index.json'

/** Where a pack has a task, with its files. */
export function osworldTaskPath(id: string): string {
  return `tasks/${id}.json`
}

/** What the folder has to hold that a pack is made from. */
export const osworldPackContent =
  "OSWorld's folder evaluation_examples (test_all.json chooses the tasks; without it, every task file), and the files of the tasks where you have them, such as OSWorld's cache"

export const osworldPackFormat: PackFormat = {
  description: osworldPackContent,
  data: { origin: 'original', about: 'task files of OSWorld' },
  downloads: [],
  isNeeded: true,
  async *collect(source) {
    yield* (await import('./collect-pack.ts')).collectOsworldPack(source)
  },
  filesOf: (task) => [osworldTaskPath(task)],
}
