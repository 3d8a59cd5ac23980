import { useState } from 'react'
import type { Report } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { RunShape } from '../../../shared/core/contracts/run-shape.ts'
import { HistogramPlot } from '../../charts/histogram-plot.tsx'
import { type GridRow, RewardGrid } from '../../charts/reward-grid.tsx'
import { InlineField } from '../../components/inline-field.tsx'
import { Section } from '../../components/section.tsx'
import { episodeAddress, graphAddress } from '../../format/addresses.ts'
import { BudgetCurve } from './budget-curve.tsx'
import styles from './run-page.module.css'

export function RunPlots({ run, report: { shape } }: { run: Run; report: Report }) {
  if (shape === undefined || shape.steps.length === 0) return null
  return (
    <>
      <Section title="Rewards and steps">
        <div className={styles.plotPair}>
          {shape.rewards.length > 0 && (
            <HistogramPlot label="Episodes by reward" xAxis="reward" bins={shape.rewards} />
          )}
          <HistogramPlot label="Episodes by steps" xAxis="steps" bins={shape.steps} isWhole />
        </div>
      </Section>
      <BudgetCurve run={run} />
      <RewardSection run={run} grid={shape.grid} />
    </>
  )
}

const orders = { task: 'their order', low: 'the lowest first', spread: 'the most varied first' } as const

type Order = keyof typeof orders

function RewardSection({ run, grid }: { run: Run; grid: RunShape['grid'] }) {
  const [order, setOrder] = useState<Order>('task')
  if (grid.tasks.length === 0) return null
  const isPart = grid.tasks.length < grid.all
  const rows = sortTasks(grid.tasks, order).map(
    ({ task, cells }): GridRow => ({
      name: task,
      ...(grid.epochs > 1 && { about: graphAddress([run.id], task) }),
      cells: cells.map(({ epoch, episode, reward }) => ({
        column: epoch,
        value: reward,
        to: episodeAddress(run.id, episode),
      })),
    }),
  )
  return (
    <Section
      title="Tasks"
      aside={
        <>
          {isPart && (
            <span>
              the {grid.tasks.length} of {grid.all.toLocaleString('en')} whose rewards vary most
            </span>
          )}
          <InlineField label="In">
            {(field) => (
              <select {...field} value={order} onChange={({ target }) => setOrder(target.value as Order)}>
                {Object.entries(orders)
                  .filter(([id]) => id !== 'spread' || grid.epochs > 1)
                  .map(([id, word]) => (
                    <option key={id} value={id}>
                      {word}
                    </option>
                  ))}
              </select>
            )}
          </InlineField>
        </>
      }
    >
      <RewardGrid
        label={grid.epochs > 1 ? 'Reward by task and epoch' : 'Reward by task'}
        rows={rows}
        columns={grid.epochs}
      />
    </Section>
  )
}

type Tasks = RunShape['grid']['tasks']

export function sortTasks(tasks: Tasks, order: Order): Tasks {
  if (order === 'task') return tasks
  const keyed = tasks.map((task) => {
    const rewards = task.cells.flatMap(({ reward }) => reward ?? [])
    const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
    const spread = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length
    // A task without a reward comes last.
    const key = order === 'low' ? mean : -spread
    return { task, key: Number.isNaN(key) ? Number.POSITIVE_INFINITY : key }
  })
  return keyed
    .toSorted((left, right) => (left.key === right.key ? 0 : left.key < right.key ? -1 : 1))
    .map(({ task }) => task)
}
