import { useQuery } from '@tanstack/react-query'
import { annotatedDataset } from '../../../shared/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { api } from '../../service/api.ts'
import { isRefused } from '../../service/refusal.ts'
import { AnnotationNote } from './annotation-note.tsx'
import { EpisodesSection } from './episodes/episodes-section.tsx'
import { RunEndings } from './run-endings.tsx'
import { RunHeader } from './run-header.tsx'
import styles from './run-page.module.css'
import { RunProgress } from './run-progress.tsx'
import { RunRequest } from './run-request.tsx'
import { RunResults } from './run-results.tsx'
import { RunSpending } from './run-spending.tsx'
import { RunState } from './run-state.tsx'

/** All of a run's page. `refusal`: why it could not be read again, after it could be read once. */
export function RunView({ run, refusal }: { run: Run; refusal: unknown }) {
  const isPlayed = annotatedDataset(run) === null
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
      <AnswerWarnings warnings={run.answer_warnings} />
      <div className={styles.runColumns}>
        <div>
          <RunProgress run={run} />
        </div>
        <div>
          <RunSpending run={run} />
        </div>
      </div>
      {isPlayed ? <RunResults run={run} report={report} /> : <AnnotationNote run={run} />}
      <RunEndings run={run} report={report.data} />
      <EpisodesSection run={run} />
      <RunRequest run={run} />
    </>
  )
}
