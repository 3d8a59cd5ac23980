import type { Command } from 'commander'
import {
  formatCount,
  formatEstimate,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../shared/core/client/format-quantity.ts'
import type { BudgetKind, Curve, Curves } from '../../shared/core/contracts/curve.ts'
import { provenanceNotices } from '../../shared/core/contracts/provenance.ts'
import { choiceOption } from '../choice-option.ts'
import { lookAt } from '../connect.ts'
import { fold, wrap } from '../fit-text.ts'
import { simulatedNotice } from '../format-report.ts'
import { formatTable } from '../format-table.ts'
import { addFigureOptions, type FigureOptions, printFigures } from '../print-figures.ts'
import type { Terminal } from '../terminal.ts'

const units: Record<BudgetKind, string> = { calls: 'calls', tokens: 'tokens', cost: 'dollars' }

const noTasks = 'No task has an episode with a reward in every run.'

type CurvesOptions = FigureOptions & { over: BudgetKind }

export function addCurvesCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('curves')
    .description("Show success as a function of an episode's budget, from the journals of one run or more.")
    .argument('<run...>', 'the runs; for several, only their shared tasks count')
    .addOption(
      choiceOption('--over <kind>', 'unit of the budget', ['calls', 'tokens', 'cost']).default('calls'),
    )
  addFigureOptions(command)
    .addHelpText('after', '\nExample: espalier curves run-0123 run-0124 --over cost --out curves.csv')
    .action(async (runs: string[], _: unknown, action: Command) => {
      const options = action.optsWithGlobals<CurvesOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const curves = await client.curves(runs, options.over)
        await printFigures(terminal, options, curves, () => formatCurves(curves, terminal.columns))
      })
    })
}

export function formatCurves({ curves, over, shared_tasks, simulated }: Curves, width: number): string[] {
  const budgets = curves[0]?.points.map(({ budget }) => budget) ?? []
  const columns = [
    { header: units[over], align: 'right' as const },
    ...curves.map((curve) => ({ header: curve.name ?? curve.run, align: 'right' as const })),
  ]
  const rows = budgets.map((budget, index) => [
    over === 'cost' ? formatMoney(budget) : formatCount(budget),
    ...curves.map(({ points }) => {
      const point = points[index]
      return point === undefined ? noNumber : formatEstimate(point.success_rate)
    }),
  ])
  return [
    ...wrap(
      `success rate once an episode has spent so many ${units[over]} · ${shared_tasks} ${curves.length === 1 ? 'scored' : 'shared'} tasks · 95 % intervals`,
      width,
    ),
    '',
    ...(budgets.length === 0 ? [shared_tasks === 0 ? noTasks : noNumber] : formatTable(columns, rows, width)),
    '',
    ...curves.flatMap((curve) => fold(describe(curve), width)),
    '',
    ...provenanceNotices(curves).flatMap((notice) => wrap(notice, width)),
    ...(simulated ? wrap(simulatedNotice, width) : []),
  ]
}

function describe({ episodes, method, model, name, points, run, tasks }: Curve): string {
  const end = points.at(-1)
  const sample = episodes.read < episodes.scored ? `a sample of ${tasks} tasks, ` : ''
  const ended = end === undefined ? '' : `; in the end ${formatNumber(end.success_rate.mean)}`
  return `${name ?? run}: ${method}, ${model}, ${sample}${episodes.read} of ${episodes.scored} scored episodes read${ended}`
}
