import { describe, expect, test } from 'vitest'
import { withoutMark } from '../../../../shared/data/exports/csv.ts'
import { buildReport } from '../../../../shared/insight/reports/build-report.ts'
import { compareRuns } from '../../../../shared/insight/reports/compare-runs.ts'
import { buildCurves } from '../../../../shared/insight/reports/curves/build-curves.ts'
import { render } from '../../../../shared/insight/reports/export/render.ts'
import { endedEpisode, stream } from '../../../builders/episodes.ts'
import { open, rewarded, used } from '../../../builders/journals.ts'
import { endedRun } from '../../../builders/runs.ts'

const episodes = [
  endedEpisode(0, 'a', 1),
  endedEpisode(1, 'a', 0),
  endedEpisode(2, '=b|c', 0.3),
  endedEpisode(3, '=b|c', 1),
]
const facts = new Map([['a', { type: 'easy', min_steps: 2 }]])
const report = await buildReport(endedRun('run-1'), stream(episodes), {
  simulated: true,
  facts,
  interval: 't',
})
const comparison = await compareRuns(
  ['run-1', 'run-2'].map((id, index) => {
    const run = endedRun(id)
    return { run: { ...run, request: { ...run.request, seed: index } }, episodes: stream(episodes) }
  }),
  { simulated: false, interval: 't' },
)
const read = {
  run: endedRun('run-1'),
  simulated: false,
  episodes: stream(episodes),
  journal: async () => [open(), used(), rewarded(0, 0.3), used(), rewarded(0, 1)],
}
const curves = { ...(await buildCurves([read], { over: 'tokens' })), simulated: false }

/** The cells of a CSV text none of whose cells are quoted. */
function cellsOf(csv: string): Record<string, string>[] {
  const [head = '', ...lines] = withoutMark(csv).trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    expect(cells).toHaveLength(names.length)
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
  })
}

describe('as CSV', () => {
  test('a report has one figure a line, with every digit', () => {
    const csv = render(report, 'csv')
    expect(csv.slice(0, csv.indexOf('\r\n'))).toBe(
      '\uFEFFrun,scope,name,metric,value,stderr,ci_lower,ci_upper,ci_method,count,tasks,data,simulated',
    )
    const rows = cellsOf(csv)
    expect(new Set(rows.map(({ data, simulated }) => `${data} ${simulated}`))).toEqual(new Set(['unknown 1']))
    const find = (scope: string, metric: string) =>
      rows.find((row) => row.scope === scope && row.metric === metric)
    expect(Number(find('run', 'reward')?.value)).toBe(report.reward.mean)
    expect(Number(find('run', 'success_rate')?.ci_lower)).toBe(report.success_rate.ci?.lower)
    expect(Number(find('run', 'pass_at_2')?.value)).toBe(1)
    expect(Number(find('run', 'pass_hat_2')?.value)).toBe(0)
    expect(find('type', 'success_rate')).toMatchObject({ name: 'easy', value: '0.5', ci_lower: '' })
    expect(rows.filter(({ scope, metric }) => scope === 'task' && metric === 'mean_reward')).toMatchObject([
      { name: 'a', value: '0.5' },
      { name: "'=b|c", value: '0.65' },
    ])
  })

  test('a comparison has rows for runs and rows for differences', () => {
    const rows = cellsOf(render(comparison, 'csv'))
    const places = rows
      .filter(({ metric }) => metric === 'success_rate')
      .map(({ run, scope }) => [run, scope])
    expect(places).toEqual([
      ['run-1', 'run'],
      ['run-2', 'run'],
      ['run-2', 'difference'],
    ])
    expect(rows.find(({ metric }) => metric === 'sign_test_p')).toMatchObject({ value: '' })
  })

  test('a curve has its budget in a column of numbers', () => {
    const rows = cellsOf(render(curves, 'csv')).filter(({ metric }) => metric === 'reward')
    expect(rows.map(({ budget, value }) => [budget, value])).toEqual([
      ['100', '0.3'],
      ['200', '1'],
    ])
  })
})

describe('as Markdown', () => {
  test('a report is a page of tables that read as they are', () => {
    const page = render(report, 'md')
    expect(page).toContain('# Report of run-1\n\nPlayed by the simulated model')
    expect(page).toContain('Data of unknown origin')
    expect(page).toMatch(/^\| success rate +\| +0\.500/m)
    expect(page).toMatch(/^\| pass@2 +\| +1\.000/m)
    expect(page).toContain('## By type of task')
    const tables = page.split('\n\n').filter((part) => part.startsWith('|'))
    expect(tables).toHaveLength(3)
    for (const table of tables) {
      expect(
        new Set(
          table
            .trimEnd()
            .split('\n')
            .map((line) => line.length),
        ).size,
      ).toBe(1)
    }
  })

  test('a comparison says what differs in the settings', () => {
    const page = render(comparison, 'md')
    expect(page).toContain('# 2 runs on 2 shared tasks')
    expect(page).toContain('## What differs in the settings')
    expect(page).toMatch(/^\| seed +\| +0 \| +1 \|$/m)
  })

  test('a curve says from how many episodes it is', () => {
    const page = render(curves, 'md')
    expect(page).toContain('From the journals of 4 of 4 scored episodes, of 2 tasks')
    expect(page).toMatch(/^\| 200 +\| +1\.000/m)
  })
})
