import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  annotatedDataset,
  asksAModel,
  judgedScore,
} from '../../../shared/core/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Section } from '../../components/section.tsx'
import { datasetAddress, runAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { isRefused } from '../../service/refusal.ts'
import { EpisodesSection } from './episodes/episodes-section.tsx'
import { RunEndings } from './run-endings.tsx'
import { RunHeader } from './run-header.tsx'
import styles from './run-page.module.css'
import { RunProgress } from './run-progress.tsx'
import { RunRequest } from './run-request.tsx'
import { RunResults } from './run-results.tsx'
import { RunScores } from './run-scores.tsx'
import { RunSpending } from './run-spending.tsx'
import { RunState } from './run-state.tsx'

export function RunView({ run, refusal }: { run: Run; refusal: unknown }) {
  const isPlayed = !asksAModel(run)
  const report = useQuery({
    queryKey: ['report', run.id],
    queryFn: () => api.report(run.id),
    enabled: isPlayed,
  })
  return (
    <>
      <RunHeader run={run} />
      {isRefused(refusal) && <ErrorState error={refusal} />}
      <RunState run={run} />
      <AnswerWarnings warnings={[...run.answer_warnings, ...(run.warnings ?? [])]} />
      <div className={styles.runColumns}>
        <div>
          <RunProgress run={run} />
        </div>
        <div>
          <RunSpending run={run} />
        </div>
      </div>
      <EpisodesSection run={run} />
      {isPlayed ? <RunResults run={run} report={report} /> : <AnnotationNote run={run} />}
      <RunScores run={run} scores={report.data?.scores} />
      <RunEndings run={run} report={report.data} />
      <RunRequest run={run} />
    </>
  )
}

function AnnotationNote({ run }: { run: Run }) {
  const judged = judgedScore(run)
  if (judged !== null) {
    return (
      <Section title="For a score">
        <p>
          This run plays no task. It has a model grade the episodes of{' '}
          <Link to={runAddress(judged.run)}>{judged.run}</Link> by a rubric, for the score {judged.name}. Its
          own episodes have no reward, so it has no report; it is paid for, capped, paused and resumed like
          any other run.
        </p>
      </Section>
    )
  }
  const dataset = annotatedDataset(run) ?? ''
  return (
    <Section title="For a dataset">
      <p>
        This run plays no task. It asks a model what the dataset{' '}
        <Link to={datasetAddress(dataset)}>{dataset}</Link> needs of episodes of other runs,{' '}
        {String(run.request.method.kind)} rows by {run.request.method.id}. Its own episodes have no reward, so
        it has no report; it is paid for, capped, paused and resumed like any other run.
      </p>
    </Section>
  )
}
