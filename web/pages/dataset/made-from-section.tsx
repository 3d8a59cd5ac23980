import { Link } from 'react-router'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import type { Json } from '../../../shared/core/contracts/json.ts'
import { DefinitionList, Fact, FactList } from '../../components/definition-list.tsx'
import { JsonText } from '../../components/json-text.tsx'
import { Section } from '../../components/section.tsx'
import { runAddress } from '../../format/addresses.ts'
import { isImport } from '../../format/is-import.ts'

export function MadeFromSection({ dataset: { request } }: { dataset: Dataset }) {
  const { experts, format, gates, kind, limits, mix, model, parameters, runs, seed, splits, trajectories } =
    request
  return (
    <Section title="Made from">
      <DefinitionList>
        <Fact name="Runs" value={<Sources ids={runs} />} isShown={runs.length > 0} />
        <Fact name="Imports" value={<Sources ids={trajectories} />} isShown={trajectories.length > 0} />
        <Fact name="Experts" value={<Sources ids={experts} />} isShown={experts.length > 0} />
        <Fact name="Mixed in" value={<Sources ids={mix?.trajectories ?? []} />} isShown={mix !== undefined} />
        <Fact name="Share mixed in" value={mix?.share} isShown={mix !== undefined} />
        <Fact name="Kind" value={kind} />
        <Fact name="Format" value={format} />
        {Object.entries(parameters).map(([name, value]) => (
          <Fact key={name} name={<code>{name}</code>} value={<JsonText of={value} />} />
        ))}
        <Fact
          name="Splits"
          value={Object.entries(splits ?? {})
            .map(([name, share]) => `${name} ${share}`)
            .join(', ')}
          isShown={splits !== undefined}
        />
        <Fact name="Seed" value={seed} />
        <Fact name="Held out" value={gates.held_out} />
        <Fact name="Duplicates" value={gates.duplicates} />
        <Fact name="Empty turns" value={gates.empty_turns} />
        <Fact name="Same action" value={gates.same_action} isShown={kind === 'step-preference'} />
        <Fact
          name="Longest row"
          value={gates.max_tokens === null ? 'no limit' : `${gates.max_tokens} tokens`}
        />
        <Fact name="Tokenizer" value={gates.tokenizer} />
        <Fact name="Rows per file" value={request.rows_per_file.toLocaleString('en')} />
        <Fact name="Asked" value={<JsonText of={model as Json} />} isShown={model !== undefined} />
        <Fact
          name="Limits on asking"
          value={Object.entries(limits)
            .map(([name, limit]) => `${name} ${limit?.toLocaleString('en')}`)
            .join(', ')}
          isShown={Object.keys(limits).length > 0}
        />
      </DefinitionList>
    </Section>
  )
}

function Sources({ ids }: { ids: readonly string[] }) {
  return (
    <FactList>
      {ids.map((id) => (
        <li key={id}>{isImport(id) ? <code>{id}</code> : <Link to={runAddress(id)}>{id}</Link>}</li>
      ))}
    </FactList>
  )
}
