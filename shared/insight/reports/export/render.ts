import type { Curve, Curves } from '../../../core/contracts/curve.ts'
import { provenanceNotice } from '../../../core/contracts/provenance.ts'
import type { Comparison, Report } from '../../../core/contracts/report.ts'
import { toCsv } from '../../../data/exports/csv.ts'
import { comparisonMarkdown } from './comparison-markdown.ts'
import { decimal, interval, markdownTable, significant } from './markdown-table.ts'
import { reportMarkdown } from './report-markdown.ts'
import { comparisonFigures, curveFigures, reportFigures } from './to-figures.ts'

const units = { calls: 'model calls', tokens: 'tokens', cost: 'dollars' }

export type Rendered = Report | Comparison | Curve | Curves

export function render(value: Rendered, format: 'csv' | 'md'): string {
  const isTable = format === 'csv'
  switch (value.object) {
    case 'report':
      return isTable ? toCsv(reportFigures(value)) : reportMarkdown(value)
    case 'comparison':
      return isTable ? toCsv(comparisonFigures(value)) : comparisonMarkdown(value)
    case 'curve':
      return isTable ? toCsv(curveFigures([value])) : curvesMarkdown([value])
    case 'curves':
      return isTable ? toCsv(curveFigures(value.curves)) : curvesMarkdown(value.curves)
  }
}

function curvesMarkdown(curves: readonly Curve[]): string {
  const lines = curves.flatMap((curve) => {
    const { episodes, over, points, tasks } = curve
    const rows = points.map(({ budget, success_rate, reward, ended }) => [
      significant(budget),
      interval(success_rate),
      interval(reward),
      decimal(ended, 2),
    ])
    return [
      `# Success by ${units[over]} of ${curve.name ?? curve.run}`,
      '',
      ...(curve.simulated
        ? ['Played by the simulated model: these numbers prove plumbing, not quality.', '']
        : []),
      provenanceNotice(curve.provenance),
      '',
      `${curve.method}, ${curve.model}. From the journals of ${episodes.read} of ${episodes.scored} scored episodes, of ${tasks} tasks; 95 % intervals.`,
      '',
      ...markdownTable([`${units[over]} of an episode`, 'success rate', 'reward', 'ended'], rows),
      '',
    ]
  })
  return lines.join('\n')
}
