import type { ActionJudgement } from '../../annotators/read-action-judgement.ts'

/**
 * Where a path first went wrong: its first node that was judged to be bad. Good and uncertain steps are passed.
 *
 * @param path - the root first
 * @returns null where no step was
 */
export function findFirstError(
  path: readonly number[],
  judgementOf: (node: number) => ActionJudgement,
): number | null {
  return path.slice(1).find((node) => judgementOf(node) === 'bad') ?? null
}
