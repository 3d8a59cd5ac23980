import { workWord } from '../../../shared/core/client/status-words.ts'
import { asksAModel } from '../../../shared/core/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { LinkButton } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { LabelActions } from '../../components/labels/label-actions.tsx'
import { LabelLine } from '../../components/labels/label-line.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import {
  compareAddress,
  labelAddress,
  libraryAddress,
  memoryAddress,
  searchAddress,
} from '../../format/addresses.ts'
import { runName } from '../../format/run-name.ts'
import { showControls } from '../../format/show-controls.ts'
import { hasEnded } from '../../service/follow-run.ts'
import { RunActions } from './run-actions.tsx'
import styles from './run-page.module.css'

export function RunHeader({ run }: { run: Run }) {
  const { created_at, ended_at, id, request, started_at, status } = run
  const name = runName(run)
  return (
    <>
      <PageHeader
        title={<span dir="auto">{name}</span>}
        tab={name}
        way={[{ to: '/runs', name: 'Runs' }]}
        lead={
          <>
            <p className={styles.headerLine}>
              <StatusBadge status={workWord(status)} />
              <code>{id}</code>
              <CopyButton what="the id" text={id} />
            </p>
            <p className={styles.headerLine}>
              <span>
                <b>{request.method.id}</b> in <b dir="auto">{showControls(request.environment)}</b> with{' '}
                <b dir="auto">{showControls(`${request.model.endpoint}/${request.model.id}`)}</b>
              </span>
              <span>
                created <TimeAgo at={created_at} />
              </span>
              {started_at !== null && (
                <span>
                  started <TimeAgo at={started_at} />
                </span>
              )}
              {ended_at !== null && (
                <span>
                  ended <TimeAgo at={ended_at} />
                </span>
              )}
            </p>
            <LabelLine labels={{ ...request, archived_at: run.archived_at }} />
          </>
        }
      />
      <div className={styles.headerTools}>
        <RunActions run={run}>
          <RunLinks run={run} />
          <LabelActions
            what="run"
            id={id}
            labels={{ ...request, name: request.name ?? null, archived_at: run.archived_at }}
            openReason={hasEnded(run) ? null : 'The run has not ended. Cancel it first.'}
          />
        </RunActions>
      </div>
    </>
  )
}

function RunLinks({ run }: { run: Run }) {
  const { id, library, memory } = run
  const isPlayed = !asksAModel(run)
  return (
    <ButtonRow>
      {library !== null && <LinkButton to={libraryAddress(library)}>Library</LinkButton>}
      {memory !== null && <LinkButton to={memoryAddress(memory)}>Memory</LinkButton>}
      {isPlayed && (
        <>
          <LinkButton to={searchAddress(id)}>Search in it</LinkButton>
          <LinkButton to={compareAddress([id])}>Compare with …</LinkButton>
          <LinkButton to={labelAddress(id)}>Judge episodes</LinkButton>
          <LinkButton to={`/datasets/new?runs=${encodeURIComponent(id)}`}>Build a dataset</LinkButton>
          <LinkButton to={`/runs/new?from=${encodeURIComponent(id)}`}>New run from this</LinkButton>
        </>
      )}
    </ButtonRow>
  )
}
