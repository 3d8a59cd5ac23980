import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Dataset } from '../../../shared/contracts/dataset.ts'
import type { Json } from '../../../shared/contracts/json.ts'
import { Section } from '../../components/section.tsx'
import { runAddress } from '../../format/addresses.ts'
import { isImport } from '../../format/is-import.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './dataset-page.module.css'

/** The request that made the dataset: sources and settings. */
export function MadeFromSection({ dataset: { request } }: { dataset: Dataset }) {
  const { experts, format, gates, kind, limits, mix, model, parameters, runs, seed, splits, trajectories } =
    request
  return (
    <Section title="Made from">
      <dl className={styles.madeFromSettings}>
        <Setting name="Runs" value={<Sources ids={runs} />} isShown={runs.length > 0} />
        <Setting name="Imports" value={<Sources ids={trajectories} />} isShown={trajectories.length > 0} />
        <Setting name="Experts" value={<Sources ids={experts} />} isShown={experts.length > 0} />
        <Setting
          name="Mixed in"
          value={<Sources ids={mix?.trajectories ?? []} />}
          isShown={mix !== undefined}
        />
        <Setting name="Share mixed in" value={mix?.share} isShown={mix !== undefined} />
        <Setting name="Kind" value={kind} />
        <Setting name="Format" value={format} />
        {Object.entries(parameters).map(([name, value]) => (
          <Setting key={name} name={<code>{name}</code>} value={<Value of={value} />} />
        ))}
        <Setting
          name="Splits"
          value={Object.entries(splits ?? {})
            .map(([name, share]) => `${name} ${share}`)
            .join(', ')}
          isShown={splits !== undefined}
        />
        <Setting name="Seed" value={seed} />
        <Setting name="Held out" value={gates.held_out} />
        <Setting name="Duplicates" value={gates.duplicates} />
        <Setting name="Empty turns" value={gates.empty_turns} />
        <Setting name="Same action" value={gates.same_action} isShown={kind === 'step-preference'} />
        <Setting
          name="Longest row"
          value={gates.max_tokens === null ? 'no limit' : `${gates.max_tokens} tokens`}
        />
        <Setting name="Tokenizer" value={gates.tokenizer} />
        <Setting name="Rows per file" value={request.rows_per_file.toLocaleString('en')} />
        <Setting name="Asked" value={<Value of={model as Json} />} isShown={model !== undefined} />
        <Setting
          name="Limits on asking"
          value={Object.entries(limits)
            .map(([name, limit]) => `${name} ${limit?.toLocaleString('en')}`)
            .join(', ')}
          isShown={Object.keys(limits).length > 0}
        />
      </dl>
    </Section>
  )
}

function Setting({ name, value, isShown = true }: { name: ReactNode; value: ReactNode; isShown?: boolean }) {
  if (!isShown) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Value({ of }: { of: Json }) {
  const text = typeof of === 'string' ? of : JSON.stringify(of)
  return <span dir="auto">{showControls(text)}</span>
}

function Sources({ ids }: { ids: readonly string[] }) {
  return (
    <ul className={styles.madeFromSources}>
      {ids.map((id) => (
        <li key={id}>{isImport(id) ? <code>{id}</code> : <Link to={runAddress(id)}>{id}</Link>}</li>
      ))}
    </ul>
  )
}
