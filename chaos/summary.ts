import type { CampaignResult } from './campaign.ts'
import { kinds } from './kinds.ts'

const shown = 5

export function summarize(result: CampaignResult, repeat: string): string {
  const { met, findings, calls, money } = result
  const rows = kinds.flatMap(({ id, what }) => {
    const row = met.find(({ kind }) => kind === id)
    if (row === undefined) return []
    const count = findings.filter((finding) => finding.met.includes(id)).length
    return [[id, what, `${row.done}`, `${row.runs}`, `${row.episodes}`, `${count}`]]
  })
  const head = ['disturbance', 'what', 'done', 'runs met', 'episodes met', 'findings*']
  return [
    table([head, ...rows]),
    '* findings in runs that met it; most runs meet several',
    '',
    ...listFindings(findings),
    `kills     ${result.kills}`,
    `runs      ${result.runs}, ${result.episodes} episodes, ${result.trees} trees compared; resumed ${result.resumed} times`,
    `work      ${Object.entries(result.chores)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
    `calls     ${calls.counted} counted, ${calls.endpoint} at the endpoint, ${calls.cut} of them cut`,
    `money     $${money.counted.toFixed(9)} counted, $${money.endpoint.toFixed(9)} at the endpoint`,
    `findings  ${findings.length}`,
    `again     ${repeat}`,
  ].join('\n')
}

function listFindings(findings: CampaignResult['findings']): string[] {
  const lines: string[] = []
  for (const [what, same] of Map.groupBy(findings, (finding) => finding.what)) {
    lines.push(`FOUND ${what}: ${same.length}`)
    for (const { plan, run, episode, detail, met } of same.slice(0, shown)) {
      const where = [plan, run, episode].filter((part) => part !== null).join(', ')
      lines.push(
        `  ${where === '' ? '' : `${where}: `}${detail}${met.length > 0 ? ` (met ${met.join(', ')})` : ''}`,
      )
    }
    if (same.length > shown) lines.push(`  and ${same.length - shown} more`)
  }
  return lines.length > 0 ? [...lines, ''] : lines
}

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
