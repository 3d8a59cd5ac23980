import type { EnvironmentTask } from '../environment.ts'
import { pageFamilies } from './families.ts'

/** Problems of each page that are tasks. Another seed of a run makes other problems of the same pages. */
export const problemsOfPage = 20

/** All pages with all their problems, split by split. */
export function createMiniwobTasks(): EnvironmentTask[] {
  return (['train', 'dev', 'test'] as const).flatMap((split) =>
    pageFamilies
      .filter((family) => family.split === split)
      .flatMap(({ name, pages }) =>
        pages.flatMap((page) =>
          Array.from({ length: problemsOfPage }, (_, problem) => ({
            id: `${page}/${problem}`,
            split,
            type: page,
            description: `${page.replaceAll('-', ' ')}, problem ${problem} (${name})`,
          })),
        ),
      ),
  )
}

const known = new Set(pageFamilies.flatMap(({ pages }) => pages))

/** Which page a task shows, and which problem on it; null for what is no task. */
export function readMiniwobTask(task: string): { page: string; problem: number } | null {
  const [, page = '', problem = ''] = /^([a-z0-9-]+)\/(\d{1,4})$/.exec(task) ?? []
  if (!known.has(page) || Number(problem) >= problemsOfPage) return null
  return { page, problem: Number(problem) }
}

/** The number that the page's randomness begins with: of a run with seed 0 the problem's own. */
export function pageSeed(problem: number, seed: number): number {
  return problem + seed * problemsOfPage
}
