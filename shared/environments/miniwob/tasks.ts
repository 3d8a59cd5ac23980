import type { EnvironmentTask } from '../environment.ts'
import { pageFamilies } from './families.ts'

export const problemsOfPage = 20

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

export function readMiniwobTask(task: string): { page: string; problem: number } | null {
  const [, page = '', problem = ''] = /^([a-z0-9-]+)\/(\d{1,4})$/.exec(task) ?? []
  if (!known.has(page) || Number(problem) >= problemsOfPage) return null
  return { page, problem: Number(problem) }
}

export function pageSeed(problem: number, seed: number): number {
  return problem + seed * problemsOfPage
}
