import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import {
  annotatedDataset,
  asksAModel,
  judgedScore,
} from '../../../shared/core/contracts/annotated-dataset.ts'
import type { ScoreFigures } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { Column } from '../../components/column.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Estimate } from '../../components/estimate.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { LastProblem } from '../../components/last-problem.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { datasetAddress, labelAddress, runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { countEnded } from '../../service/follow-run.ts'
import { isRefused } from '../../service/refusal.ts'
import { EpisodesSection } from './episodes/episodes-section.tsx'
import { requestFacts } from './request-facts.ts'
import { reachedCap } from './run-caps.ts'
import { RunEndings } from './run-endings.tsx'
import { RunHeader } from './run-header.tsx'
import styles from './run-page.module.css'
import { RunPlots } from './run-plots.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunResults } from './run-results.tsx'
import { RunSpending } from './run-spending.tsx'
import { SpendingSection } from './spending-section.tsx'

const shortText = 200

const manyFacts = 12

const isLong = ({ value }: { value: string }) => value.length > shortText

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
        <div>{isPlayed ? <RunResults run={run} report={report} /> : <AnnotationNote run={run} />}</div>
        <div>
          <RunProgress run={run} />
          <RunSpending run={run} />
          <RunEndings run={run} report={report.data} />
        </div>
      </div>
      {report.data && <RunPlots run={run} report={report.data} />}
      <SpendingSection run={run} />
      <EpisodesSection run={run} />
      <RunScores run={run} scores={report.data?.scores} />
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

function RunState({ run }: { run: Run }) {
  const reason = run.status_reason === null ? '' : showControls(run.status_reason)
  switch (run.status) {
    case 'queued':
      return (
        <Notice isSpaced>
          It has not begun yet: it does as soon as a worker takes up its first episode.
        </Notice>
      )
    case 'paused':
      return (
        <Notice isSpaced tone="warn">
          <p dir="auto">{reason}</p>
          <p>
            {reachedCap(run) === null
              ? 'Nothing is played or paid for until it is resumed, and nothing of what it has is lost.'
              : 'Resume offers a higher limit; nothing that was paid for is paid for again.'}
          </p>
        </Notice>
      )
    case 'failed':
      return (
        <Notice isSpaced tone="bad">
          <p dir="auto">{reason}</p>
          <p>The errors are below. Fix what they report, then retry.</p>
        </Notice>
      )
    case 'cancelled':
      return <Notice isSpaced>{reason} What had ended before is kept, and in the figures below.</Notice>
    case 'running':
      return run.last_problem ? <LastProblem problem={run.last_problem} /> : <Live run={run} />
    default:
      return <Live run={run} />
  }
}

function Live({ run }: { run: Run }) {
  return run.live && countEnded(run.episodes) > 0 ? (
    <Notice isSpaced>
      Its episodes read what others wrote meanwhile: played again, it would give other results.
    </Notice>
  ) : null
}

function RunRequest({ run }: { run: Run }) {
  return (
    <Section title="Request">
      <div className={styles.requestGroups}>
        {requestFacts(run).map(({ title, facts }) => (
          <section
            key={title}
            className={
              facts.some(isLong)
                ? styles.requestWide
                : facts.length > manyFacts
                  ? styles.requestMany
                  : undefined
            }
          >
            <h3>{title}</h3>
            <dl className={styles.requestFacts}>
              {facts.map(({ name, value }) => (
                <div key={name}>
                  <dt dir="auto">{showControls(name)}</dt>
                  {isLong({ value }) ? (
                    <dd>
                      <ForeignText text={value} />
                    </dd>
                  ) : (
                    <dd dir="auto">{showControls(value)}</dd>
                  )}
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Section>
  )
}

function RunScores({ run, scores = [] }: { run: Run; scores: readonly ScoreFigures[] | undefined }) {
  if (scores.length === 0) return null
  return (
    <Section title="Scores" isFlush aside={<Link to="/guide/judgements">What judges, and how</Link>}>
      <Table label="Scores beside the reward">
        <thead>
          <tr>
            <Column>Score</Column>
            <Column>By</Column>
            <Column isNumber>Mean</Column>
            <Column isNumber>Scored</Column>
            <Column isNumber>Not judged</Column>
            <Column isNumber>Failed</Column>
            <Column isNumber>Outdated</Column>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ errors, kind, missing, name, outdated, scored, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{kind === 'person' ? <Link to={labelAddress(run.id)}>people</Link> : 'a scorer'}</td>
              <td className="number">
                <Estimate of={value} />
              </td>
              <td className="number">{formatCount(scored)}</td>
              <td className="number">{formatCount(missing)}</td>
              <td className="number">{formatCount(errors)}</td>
              <td className="number">{formatCount(outdated)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
