import { useMutation } from '@tanstack/react-query'
import { formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { EndpointTest as Tested } from '../../../shared/core/contracts/endpoint.ts'
import { Button } from '../../components/button.tsx'
import form from '../../components/form/form.module.css'
import { Refusal } from '../../components/form/refusal.tsx'
import { Notice } from '../../components/notice.tsx'
import { cutText } from '../../format/cut-text.ts'
import { formatSeconds } from '../../format/format-seconds.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'

export function EndpointTest({
  endpoint,
  model,
  isShort = false,
}: {
  endpoint: string
  model?: string
  isShort?: boolean
}) {
  const testing = useMutation({
    mutationFn: () =>
      api.testEndpoint(endpoint, { ...(model && { model }), ...(!isShort && { features: true }) }),
  })
  return (
    <div className={form.group}>
      <div>
        <Button disabled={testing.isPending} onClick={() => testing.mutate()}>
          {testing.isPending ? 'Asking …' : 'Test'}
          <span className="visually-hidden"> {endpoint}</span>
        </Button>
      </div>
      <div role="status">
        {testing.data &&
          (isShort ? <span className="soft">{outcomeOf(testing.data)}</span> : <Outcome of={testing.data} />)}
      </div>
      {testing.isError && <Refusal error={testing.error} />}
    </div>
  )
}

function Outcome({ of }: { of: Tested }) {
  return (
    <Notice tone={of.ok ? 'info' : 'bad'}>
      <span dir="auto">{outcomeOf(of)}</span>
      {of.features && (
        <ul>
          {of.features.map(({ id, works, note }) => (
            <li key={id} dir="auto">
              {featureNames[id]}: {works === null ? 'not shown' : works ? 'yes' : 'no'} — {showControls(note)}
            </li>
          ))}
        </ul>
      )}
      {of.warnings?.map(({ message }) => (
        <p key={message} dir="auto">
          {showControls(message)}
        </p>
      ))}
    </Notice>
  )
}

const featureNames = {
  choices: 'Several choices at once',
  pictures: 'Pictures',
  window: 'A prompt of some 6,000 tokens',
  tokens: 'Token ids and log-probabilities',
}

export function outcomeOf({ answer, error, latency, model, ok, usage }: Tested): string {
  const time = formatSeconds(latency / 1000)
  if (!ok) return showControls(`${model} did not answer, after ${time}: ${error ?? 'no reason is known'}`)
  const cost = usage === null || usage.cost === null ? '' : `, ${formatMoney(usage.cost)}`
  return showControls(
    `${model} answered in ${time}${cost}: “${cutText(answer ?? '', { characters: 120, lines: 1 })}”`,
  )
}
