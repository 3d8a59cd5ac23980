import type { Run } from '../../../shared/core/contracts/run.ts'
import { asksSimulated } from '../../format/asks-simulated.ts'
import type { RunCatalogue } from '../../service/run-catalogue.ts'
import { useAddress } from '../../service/use-address.ts'
import { readChosen, withChosen } from './run-filters.ts'
import { RunRow } from './run-row.tsx'
import { readShown } from './shown-fields.ts'
import { useSuccessRates } from './use-runs.ts'

export function RunRows({ runs, catalogue }: { runs: readonly Run[]; catalogue: RunCatalogue }) {
  const [address, setAddress] = useAddress()
  const { data: rates, isError } = useSuccessRates(runs)
  const chosen = readChosen(address)
  const shown = readShown(address)
  return (
    <tbody>
      {runs.map((run) => (
        <RunRow
          key={run.id}
          run={run}
          facts={{ ...factsOf(run, catalogue), rate: rates?.get(run.id), isRateLost: isError }}
          shown={shown}
          isChosen={chosen.includes(run.id)}
          onChoose={(isChosen) => setAddress((now) => withChosen(now, run.id, isChosen))}
        />
      ))}
    </tbody>
  )
}

function factsOf(run: Run, { endpoints, environments, methods }: RunCatalogue) {
  return {
    method: methods.find(({ id }) => id === run.request.method.id),
    environment: environments.find(({ id }) => id === run.request.environment),
    isSimulated: asksSimulated(run, endpoints),
  }
}
