import { useState } from 'react'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { PrimitiveStep } from '../../../shared/core/contracts/tree.ts'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { Column } from '../../components/column.tsx'
import { Table } from '../../components/table.tsx'
import { shortText } from '../../format/short-text.ts'
import { PanelPart } from './panel-part.tsx'

const some = 50

export function Primitives({ steps }: { steps: readonly PrimitiveStep[] }) {
  const [shown, setShown] = useState(some)
  return (
    <PanelPart title="Environment steps" note={steps.length} isOpen={steps.length <= 12}>
      <Table label="Environment steps of the action">
        <thead>
          <tr>
            <Column>Action</Column>
            <Column>Observation</Column>
            <Column isNumber>Reward</Column>
          </tr>
        </thead>
        <tbody>
          {numbered(steps.slice(0, shown)).map(({ id, action, observation, reward, valid }) => (
            <tr key={id}>
              <td>
                <bdi>{shortText(action, 200)}</bdi>
                {!valid && ' (invalid)'}
              </td>
              <td>
                <bdi>{shortText(observation, 300)}</bdi>
              </td>
              <td className="number">{formatNumber(reward)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {steps.length > shown && (
        <ButtonRow>
          <Button onClick={() => setShown(shown + some * 4)}>{steps.length - shown} more steps</Button>
        </ButtonRow>
      )}
    </PanelPart>
  )
}

function numbered(steps: readonly PrimitiveStep[]): (PrimitiveStep & { id: string })[] {
  return steps.map((step, position) => ({ ...step, id: String(position) }))
}
