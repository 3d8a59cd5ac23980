import { Link } from 'react-router'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { ModelServer } from '../../../shared/core/contracts/model-server.ts'
import { Fact, Facts } from '../../components/facts.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { endpointAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'

export function ServerFacts({ server }: { server: ModelServer }) {
  const { address, driver, endpoint, log_tail, note, restarts, settings, state, used_at } = server
  // A remote service manages its own server of the model.
  const isOurs = driver !== 'remote'
  return (
    <>
      {note !== null && (
        <Notice tone={state === 'failed' ? 'bad' : 'info'}>
          <span dir="auto">{showControls(note)}</span>
        </Notice>
      )}
      <Facts>
        <Fact name="State" value={<StatusBadge status={state} />} />
        <Fact name="Endpoint" value={<Link to={endpointAddress(endpoint)}>{showControls(endpoint)}</Link>} />
        <Fact name="Served by" value={driver} />
        <Fact name="Listens at" value={address} isShown={address !== null} />
        <Fact name="Calls side by side" value={settings.slots} isShown={isOurs} />
        <Fact
          name="Context"
          value={settings.context === undefined ? 'of the model' : `${formatCount(settings.context)} tokens`}
          isShown={isOurs}
        />
        <Fact name="Accelerator" value={settings.accelerator} isShown={settings.accelerator !== undefined} />
        <Fact name="Stopped after" value={`${settings.idle_minutes} min without a call`} isShown={isOurs} />
        <Fact name="Started again" value={`${restarts} times`} isShown={isOurs} />
        <Fact
          name="Last used"
          value={used_at !== null && <TimeAgo at={used_at} />}
          isShown={used_at !== null}
        />
      </Facts>
      {log_tail.length > 0 && <LongText label="The server’s last lines" text={log_tail.join('\n')} />}
    </>
  )
}
