import environmentFile from '../../../examples/guess_number_env.py?raw'
import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import { Button } from '../../components/button.tsx'
import { Column } from '../../components/column.tsx'
import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { FilterChoices } from '../../components/filter-choices.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { commandWithFile } from '../../format/command-with-file.ts'
import { useEnvironments } from '../../service/catalogue.ts'
import { useAddress } from '../../service/use-address.ts'
import { useHoldsSessions } from '../../service/use-holds-sessions.ts'
import { EnvironmentRow } from './environment-row.tsx'
import { type Facets, kindWords, needWords, passes, stateWords, toolsIn } from './facets.ts'

export function EnvironmentsPage() {
  const environments = useEnvironments()
  return (
    <>
      <PageHeader
        title="Environments"
        tab="Environments"
        lead="What agents act in. Those of environments.json are here as soon as they are added."
      />
      <Loaded what="the environments" query={environments}>
        {(found) => <Environments environments={found} />}
      </Loaded>
      <Section title="One of your own">
        <CommandExample
          label="Write an environment in Python, and play it"
          text={commandWithFile(
            'env.py',
            environmentFile,
            'espalier run --environment ./env.py --method react --model simulated',
          )}
        />
      </Section>
    </>
  )
}

function Environments({ environments }: { environments: readonly EnvironmentInfo[] }) {
  const [address, change] = useAddress()
  const textOf = (name: string) => address.get(name) ?? ''
  const set = (name: string, value: string) =>
    change((now) => {
      if (value === '') now.delete(name)
      else now.set(name, value)
      return now
    })
  const [text, kind, tool, states, need] = ['text', 'kind', 'tool', 'states', 'needs'].map(textOf)
  const facets = { text, kind, tool, states, need } as Facets
  const shown = environments.filter((environment) => passes(environment, facets))
  return (
    <>
      <FilterRow>
        <Field label="Text">
          {(field) => (
            <SearchInput {...field} value={textOf('text')} onSettle={(text) => set('text', text)} />
          )}
        </Field>
        <FilterChoices
          choices={[
            ['kind', 'Kind', Object.keys(kindWords), kindWords],
            ['tool', 'Tool', toolsIn(environments)],
            ['states', 'States', Object.keys(stateWords), stateWords],
            ['needs', 'Needs', Object.keys(needWords), needWords],
          ]}
          textOf={textOf}
          onSet={set}
        />
      </FilterRow>
      {shown.length === 0 ? (
        <EmptyState
          title="No environment is like that"
          action={<Button onClick={() => change(() => new URLSearchParams())}>Clear the filters</Button>}
        />
      ) : (
        <EnvironmentsTable environments={shown} />
      )}
    </>
  )
}

function EnvironmentsTable({ environments }: { environments: readonly EnvironmentInfo[] }) {
  const holds = useHoldsSessions()
  return (
    <Table isFramed label="Environments">
      <thead>
        <tr>
          <Column>Environment</Column>
          <Column>Kind</Column>
          <Column>Tasks</Column>
          <Column>States</Column>
          <Column>Needs</Column>
          <Column isNumber>Steps</Column>
          <Column>Play</Column>
        </tr>
      </thead>
      <tbody>
        {environments.map((environment) => (
          <EnvironmentRow key={environment.id} environment={environment} isPlayable={holds === true} />
        ))}
      </tbody>
    </Table>
  )
}
