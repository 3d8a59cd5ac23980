import type { Curve } from '../../../core/contracts/curve.ts'
import { provenanceNotice } from '../../../core/contracts/provenance.ts'
import { decimal, interval, markdownTable, significant } from './markdown-table.ts'

const units = { calls: 'model calls', tokens: 'tokens', cost: 'dollars' }

export function curvesMarkdown(curves: readonly Curve[]): string {
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
