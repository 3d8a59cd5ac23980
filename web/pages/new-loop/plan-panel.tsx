import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatCount, formatMoney, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { LoopPlan } from '../../../shared/core/contracts/loop-report.ts'
import { Column } from '../../components/column.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import form from '../../components/form/form.module.css'
import { Unanswered } from '../../components/form/unanswered.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { api } from '../../service/api.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import type { LoopDraft } from './loop-draft.ts'

export function PlanPanel({ plan, isComplete }: { plan: PlanOfLoop; isComplete: boolean }) {
  return (
    <Section title="What it would do" aside={plan.isOld ? 'planning …' : null}>
      <div className={form.stack} aria-busy={plan.isOld}>
        {!isComplete ? (
          <p className="soft">Choose an environment and a base.</p>
        ) : plan.error !== null ? (
          <Unanswered error={plan.error} onRetry={plan.ask} />
        ) : plan.data === undefined ? (
          <p className="soft">Planning …</p>
        ) : (
          <Plan plan={plan.data} />
        )}
      </div>
    </Section>
  )
}

function Plan({ plan: { cost, missing, notes, stages, tasks } }: { plan: LoopPlan }) {
  const episodes = stages.reduce((sum, stage) => sum + (stage.episodes ?? 0), 0)
  return (
    <>
      <DefinitionList>
        <Fact
          name="Tasks"
          value={`${formatCount(tasks.train)} train, ${tasks.dev === null ? 'no' : formatCount(tasks.dev)} dev, ${formatCount(tasks.test)} test`}
        />
        <Fact name="Stages" value={stages.length} />
        <Fact name="Episodes" value={formatCount(episodes)} />
        <Fact
          name="Cost of the runs"
          value={
            cost === null
              ? 'not known'
              : `${formatMoney(cost.expected)}, at most ${formatMoney(cost.at_most)}`
          }
        />
      </DefinitionList>
      {[...missing, ...notes].map((note) => (
        <p key={note} className="soft">
          <InlineCode text={note} />
        </p>
      ))}
      <details>
        <summary>Every stage</summary>
        <Table label="Stages">
          <thead>
            <tr>
              <Column isNumber>Round</Column>
              <Column>Stage</Column>
              <Column isNumber>Episodes</Column>
              <Column isNumber>Cost</Column>
            </tr>
          </thead>
          <tbody>
            {stages.map(({ episodes: count, estimate, round, stage, what }) => (
              <tr key={`${round} ${stage}`}>
                <td className="number">{round}</td>
                <td>
                  {stage}
                  <div className="soft">{what}</div>
                </td>
                <td className="number">{count === null ? noNumber : formatCount(count)}</td>
                <td className="number">
                  {estimate?.cost == null ? noNumber : formatMoney(estimate.cost.expected)}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </>
  )
}

interface PlanOfLoop {
  data: LoopPlan | undefined
  error: unknown
  isOld: boolean
  ask: () => void
}

export function useLoopPlan(draft: LoopDraft, isComplete: boolean): PlanOfLoop {
  const text = JSON.stringify(draft)
  const asked = useDebounced(isComplete ? text : '', 500)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['loop-plan', asked],
    queryFn: () => api.planLoop(JSON.parse(asked) as LoopDraft),
    enabled: isComplete && asked !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  return {
    data: isComplete ? data : undefined,
    error: isComplete ? error : null,
    isOld: isComplete && (text !== asked || isPlaceholderData || isFetching),
    ask: () => void refetch(),
  }
}
