import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import sweepFile from '../../../examples/sweep.yaml?raw'
import type { Leaderboard } from '../../../shared/core/contracts/leaderboard.ts'
import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { commandWithFile } from '../../format/command-with-file.ts'
import { showControls } from '../../format/show-controls.ts'
import { withEntry } from '../../format/with-entry.ts'
import { api } from '../../service/api.ts'
import { useExperiments } from '../../service/experiments.ts'
import { useAddress } from '../../service/use-address.ts'
import { AverageSection } from './average-section.tsx'
import { EnvironmentSection } from './environment-section.tsx'
import { TestsSection } from './tests-section.tsx'

const pollMilliseconds = 5000

export function LeaderboardPage() {
  const [address, setAddress] = useAddress()
  const experiment = address.get('experiment')?.trim() ?? ''
  const known = useExperiments()
  const leaderboard = useQuery({
    queryKey: ['leaderboard', experiment],
    queryFn: () => api.leaderboard({ experiment }),
    enabled: experiment !== '',
    refetchInterval: ({ state: { data } }) =>
      data?.cells.some(({ complete }) => !complete) === true && pollMilliseconds,
  })
  const names = [...new Set([...(known.data ?? []).map(({ id }) => id), ...(experiment ? [experiment] : [])])]
  return (
    <>
      <PageHeader
        title="Leaderboard"
        tab="Leaderboard"
        lead={
          <>
            The runs of an experiment, methods × environments.{' '}
            <Link to="/guide/experiments">What the figures mean</Link>
          </>
        }
      />
      {names.length > 0 && (
        <FilterRow>
          <Field label="Experiment">
            {(field) => (
              <select
                {...field}
                value={experiment}
                onChange={({ target }) => setAddress((now) => withEntry(now, 'experiment', target.value))}
              >
                <option value="">choose one</option>
                {names.map((name) => (
                  <option key={name} value={name}>
                    {showControls(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </FilterRow>
      )}
      {experiment === '' ? (
        <EmptyState title="No experiment is chosen">
          <p>An experiment is made of runs that belong together. A sweep makes one from a file:</p>
          <CommandExample
            label="A sweep on the command line"
            text={commandWithFile(
              'sweep.yaml',
              sweepFile,
              `espalier sweep sweep.yaml --service ${location.origin}`,
            )}
          />
        </EmptyState>
      ) : (
        <Loaded what="the leaderboard" query={leaderboard}>
          {(found) => <Sections leaderboard={found} />}
        </Loaded>
      )}
    </>
  )
}

function Sections({ leaderboard }: { leaderboard: Leaderboard }) {
  return (
    <>
      {leaderboard.simulated && (
        <Notice isSpaced>
          Some numbers come from the simulated model: they prove plumbing, not quality.
        </Notice>
      )}
      {leaderboard.environments.length > 1 && <AverageSection leaderboard={leaderboard} />}
      {leaderboard.environments.map((environment) => (
        <EnvironmentSection key={environment.id} leaderboard={leaderboard} environment={environment} />
      ))}
      <TestsSection leaderboard={leaderboard} />
    </>
  )
}
