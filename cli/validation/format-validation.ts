import type { ValidationCheck, ValidationReport } from '../../shared/core/contracts/validation-report.ts'
import { toLine } from '../fit-text.ts'
import { formatTable } from '../format-table.ts'
import type { Terminal } from '../terminal.ts'

const columns = [{ header: 'check' }, { header: 'outcome' }, { header: 'what must hold', flexible: true }]
const colours = { passed: 'green', failed: 'red', skipped: 'dim' } as const

export function formatValidation(report: ValidationReport, terminal: Terminal): string[] {
  const { environment, checks, tasks, steps, seed } = report
  const table = formatTable(
    columns,
    checks.map(({ id, status, description }) => [id, status, description]),
    terminal.columns,
  )
  const coloured = table.map((line, index) => {
    const check = checks[index - 1]
    return check === undefined ? line : terminal.paint(colours[check.status], line)
  })
  const failed = checks.filter(({ status }) => status === 'failed')
  const skipped = checks.filter(({ status }) => status === 'skipped')
  return [
    `${environment}: ${tasks.length} tasks, ${steps} steps, seed ${seed}`,
    ...coloured,
    ...skipped.map(({ id, reason }) => `${id} was skipped: ${reason}`),
    ...failed.flatMap(describeFailure),
    report.ok
      ? `${environment} holds in every check that was made.`
      : `${environment} fails in ${failed.length} of ${checks.length} checks.`,
  ]
}

function describeFailure({ id, reason, at, expected, came }: ValidationCheck): string[] {
  return [
    `${id} failed: ${toLine(reason ?? '')}`,
    ...(at === null ? [] : [`  at ${placeOf(at)}`]),
    ...(expected === null ? [] : [`  expected: ${toLine(expected)}`]),
    ...(came === null ? [] : [`  came:     ${toLine(came)}`]),
  ]
}

function placeOf({ task, step, action }: NonNullable<ValidationCheck['at']>): string {
  if (step === null) return `the start of ${task}`
  return `step ${step + 1} of ${task}${action === null ? '' : `, action ${JSON.stringify(action)}`}`
}
