import { formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Json } from '../../../shared/core/contracts/json.ts'
import { LinkButton } from '../../components/button.tsx'
import { CommandExample } from '../../components/command-example.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { quoteForShell } from '../../format/quote-for-shell.ts'
import { requestAddress } from '../../format/request-address.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './environments-page.module.css'
import { kindWords, needsOf, needWords, stateWords } from './facets.ts'

export function EnvironmentRow({
  environment,
  isPlayable,
}: {
  environment: EnvironmentInfo
  isPlayable: boolean
}) {
  const { default_max_steps, description, deterministic, id, kind, snapshot, splits } = environment
  const split = Object.keys(splits)[0]
  const request = { environment: id, ...(split !== undefined && { tasks: { split, limit: 20 } }) }
  return (
    <tr>
      <th scope="row" className={styles.environment}>
        <span className={styles.name} dir="auto">
          {showControls(id)}
        </span>
        <p>
          <InlineCode text={description} />
        </p>
        <details>
          <summary>
            Rules and commands<span className="visually-hidden"> of {showControls(id)}</span>
          </summary>
          <Rules environment={environment} />
        </details>
      </th>
      <td>{kindWords[kind]}</td>
      <td>
        {Object.entries(splits).map(([name, count]) => (
          <div key={name} className={styles.split} dir="auto">
            {showControls(name)} {formatCount(count)}
          </div>
        ))}
        {split === undefined && noNumber}
      </td>
      <td>
        {stateWords[snapshot]}
        {snapshot === 'replay' && !deterministic && <div className="soft">and may differ then</div>}
      </td>
      <td>
        {needsOf(environment)
          .map((need) => needWords[need])
          .join(', ')}
      </td>
      <td className="number">{formatCount(default_max_steps)}</td>
      <td>
        <div className={styles.play}>
          <LinkButton to={requestAddress('/runs/new', request)}>New run</LinkButton>
          {isPlayable && split !== undefined && (
            <LinkButton to={`/environments/${encodeURIComponent(id)}/try`}>
              By hand<span className="visually-hidden"> {showControls(id)}</span>
            </LinkButton>
          )}
        </div>
      </td>
    </tr>
  )
}

function Rules({ environment }: { environment: EnvironmentInfo }) {
  const { data, generators = [], id, options, roles = [], success_threshold, tools, types } = environment
  const rules = optionNames(options)
  return (
    <div className={styles.rules}>
      <DefinitionList>
        <Fact name="Solved" value={`from a reward of ${success_threshold} on`} />
        <Fact name="Types" isShown={types.length > 0} value={<Types types={types} />} />
        <Fact
          name="Tools"
          isShown={tools.length > 0}
          value={<code dir="auto">{showControls(tools.join(', '))}</code>}
        />
        <Fact name="Options" isShown={rules.length > 0} value={<code>{rules.join(', ')}</code>} />
        <Fact
          name="More tasks"
          isShown={generators.length > 0}
          value={`are made by ${generators.map((each) => each.id).join(', ')}`}
        />
        <Fact
          name="Models"
          isShown={roles.length > 0}
          value={`may be asked as ${roles.join(', ')}: a run names them`}
        />
        <Fact name="Data pack" isShown={data !== null} value={<code className="identifier">{data}</code>} />
      </DefinitionList>
      <CommandExample
        label={`Look at ${id}, and play it`}
        text={`espalier environments ${quoteForShell(id)}\nespalier run --environment ${quoteForShell(id)} --method react --model simulated --limit 5`}
      />
    </div>
  )
}

function Types({ types }: { types: readonly string[] }) {
  const shown = types.slice(0, 12)
  const more = types.length - shown.length
  return (
    <span dir="auto">
      {showControls(shown.join(', '))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </span>
  )
}

function optionNames(options: EnvironmentInfo['options']): string[] {
  const properties: Json | undefined = options?.properties
  return isObject(properties) ? Object.keys(properties) : []
}
