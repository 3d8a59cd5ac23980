import type { Curve, Curves } from '../../../core/contracts/curve.ts'
import type { Comparison, Report } from '../../../core/contracts/report.ts'
import { toCsv } from '../../../data/exports/csv.ts'
import { comparisonMarkdown } from './comparison-markdown.ts'
import { curvesMarkdown } from './curves-markdown.ts'
import { reportMarkdown } from './report-markdown.ts'
import { comparisonFigures, curveFigures, reportFigures } from './to-figures.ts'

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
