import type { z } from 'zod'
import { pathText } from '../contracts/validation/describe-invalid.ts'
import { describeIssue } from '../contracts/validation/describe-issue.ts'

/** Why one row of an import cannot be taken. The rows around it are. */
export class BadRowError extends Error {
  /** What of the row is at fault, as a path; null: the row itself. */
  readonly field: string | null

  constructor(field: string | null, reason: string) {
    super(reason)
    this.field = field
  }
}

/**
 * The row in the shape that its format has.
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
