import type { z } from 'zod'
import { pathText } from '../../core/contracts/validation/describe-invalid.ts'
import { describeIssue } from '../../core/contracts/validation/describe-issue.ts'

/** The reason why an import rejects one row. Other rows are not affected. */
export class BadRowError extends Error {
  /** The faulty field, as a path; null: the row itself. */
  readonly field: string | null

  constructor(field: string | null, reason: string) {
    super(reason)
    this.field = field
  }
}

/**
 * Checks the shape of a row.
 *
 * @throws BadRowError that names the first field that does not fit
 */
export function checkShape<Shape>(schema: z.ZodType<Shape>, row: unknown): Shape {
  const read = schema.safeParse(row)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue === undefined) throw read.error
  const value = issue.path.reduce<unknown>(
    (current, key) =>
      typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined,
    row,
  )
  throw new BadRowError(issue.path.length === 0 ? null : pathText(issue.path), describeIssue(issue, value))
}
