import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatBytes, formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { Column } from '../../components/column.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { modelAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { isTraining } from '../../format/describe-training.ts'
import { api } from '../../service/api.ts'

export function CheckpointsSection({ training }: { training: Training }) {
  const { checkpoints, id } = training
  const registering = useMutation({ mutationFn: (step: number) => api.registerCheckpoint(id, step) })
  const refusal = isTraining(training) ? 'The training is under way: pause it first.' : null
  if (checkpoints.length === 0) {
    return (
      <Section title="Checkpoints">
        <p className="soft">None is kept.</p>
      </Section>
    )
  }
  return (
    <Section title="Checkpoints" isFlush>
      {registering.isError && <Refusal error={registering.error} />}
      {registering.data && (
        <Notice>
          The weights are registered as{' '}
          <Link to={modelAddress(registering.data.model)} className="identifier">
            {registering.data.model}
          </Link>
          .
        </Notice>
      )}
      <Table label="Checkpoints">
        <thead>
          <tr>
            <Column isNumber>Step</Column>
            <Column isNumber>Size</Column>
            <Column>Digest</Column>
            <Column>A training can go on from it</Column>
            <Column isUnseen>What can be done</Column>
          </tr>
        </thead>
        <tbody>
          {checkpoints.map(({ bytes, files, has_optimizer, remote, sha256, step }) => (
            <tr key={step}>
              <td className="number">{formatCount(step)}</td>
              <td className="number">
                {remote === null
                  ? `${formatBytes(bytes)} in ${countOf(files, 'file')}`
                  : 'kept by its service'}
              </td>
              <td>
                <code title={remote ?? sha256}>{remote === null ? sha256.slice(0, 16) : remote}</code>
              </td>
              <td>{has_optimizer ? 'yes' : 'no, weights alone'}</td>
              <td className="number">
                <ActionButton
                  refusal={refusal}
                  isBusy={registering.isPending}
                  onClick={() => registering.mutate(step)}
                >
                  Register<span className="visually-hidden"> step {step}</span>
                </ActionButton>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
