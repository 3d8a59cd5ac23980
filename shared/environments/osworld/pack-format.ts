import type { PackFormat } from '../data-pack.ts'

export const osworldIndex = 'index.json'

export function osworldTaskPath(id: string): string {
  return `tasks/${id}.json`
}

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
