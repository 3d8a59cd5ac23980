import type { MethodLaw, MethodValidation } from '../../shared/core/contracts/method-validation.ts'
import { toLine, wrap } from '../fit-text.ts'
import { hang } from '../format-parameters.ts'
import { formatTable } from '../format-table.ts'
import type { Terminal } from '../terminal.ts'

const columns = [{ header: 'law' }, { header: 'outcome' }, { header: 'what must hold', flexible: true }]
const colours = { passed: 'green', failed: 'red', skipped: 'dim' } as const

export function formatMethodValidation(report: MethodValidation, terminal: Terminal): string[] {
  const { effects, environments, episodes, file, laws, method, resumed, seed } = report
  const width = terminal.columns
  const table = formatTable(
    columns,
    laws.map(({ id, status, description }) => [id, status, description]),
    width,
  )
  const coloured = table.map((line, index) => {
    const law = laws[index - 1]
    return law === undefined ? line : terminal.paint(colours[law.status], line)
  })
  const broken = laws.filter(({ status }) => status === 'failed')
  const skipped = laws.filter(({ status }) => status === 'skipped')
  const from = file === null ? '' : ` (${file})`
  return [
    ...wrap(
      `${method}${from}: ${episodes} ${episodes === 1 ? 'episode' : 'episodes'} in ${environments.join(', ')}; ${effects} effects, cut off and resumed ${resumed} times; seed ${seed}`,
      width,
    ),
    ...coloured,
    ...skipped.flatMap(({ id, reason }) =>
      hang(`${id} was skipped: ${toLine(reason ?? '')}`, { width, by: 2 }),
    ),
    ...broken.flatMap((law) => describeBroken(law, width)),
    broken.length === 0
      ? `${method} keeps every law that was checked.`
      : `${method} breaks ${broken.length} of ${laws.length} laws.`,
  ]
}

function describeBroken({ id, reason, at, expected, came, mend }: MethodLaw, width: number): string[] {
  const place = at && [at.environment, at.task, at.effect].filter((part) => part !== null).join(', ')
  const lines = [
    `${id} is broken: ${toLine(reason ?? '')}`,
    ...(place === null ? [] : [`  at ${place}`]),
    ...(expected === null ? [] : [`  expected: ${toLine(expected)}`]),
    ...(came === null ? [] : [`  came:     ${toLine(came)}`]),
    ...(mend === null ? [] : [`  to mend:  ${mend}`]),
  ]
  return lines.flatMap((line) => hang(line, { width, by: 12 }))
}
