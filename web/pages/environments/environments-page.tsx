import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Json } from '../../../shared/core/contracts/json.ts'
import { LinkButton } from '../../components/button.tsx'
import { CommandExample } from '../../components/command-example.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import form from '../../components/form/form.module.css'
import { InlineCode } from '../../components/inline-code.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { Section } from '../../components/section.tsx'
import { quoteForShell } from '../../format/quote-for-shell.ts'
import { requestAddress } from '../../format/request-address.ts'
import { showControls } from '../../format/show-controls.ts'
import { useEnvironments } from '../../service/catalogue.ts'

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
        {(found) =>
          found.map((environment) => <Environment key={environment.id} environment={environment} />)
        }
      </Loaded>
      <Section title="One of your own">
        <CommandExample
          label="Play an environment in Python"
          text="espalier run --environment ./env.py --method react --model simulated"
        />
      </Section>
    </>
  )
}

function Environment({ environment }: { environment: EnvironmentInfo }) {
  const { data, description, generators = [], hosting, id, options, roles = [], splits, types } = environment
  const split = Object.keys(splits)[0]
  const request = { environment: id, ...(split !== undefined && { tasks: { split, limit: 20 } }) }
  const rules = optionNames(options)
  return (
    <Section
      title={<span dir="auto">{showControls(id)}</span>}
      aside={<LinkButton to={requestAddress('/runs/new', request)}>New run</LinkButton>}
    >
      <div className={form.stack}>
        <p>
          <InlineCode text={description} />
        </p>
        <DefinitionList>
          <Fact name="Tasks" value={countTasks(splits)} />
          <Fact name="Types" isShown={types.length > 0} value={<Types types={types} />} />
          <Fact
            name="Runs"
            value={hosting === 'worker' ? 'inside the workers' : 'on hosts, which the service starts'}
          />
          <Fact name="States" value={describeStates(environment)} />
          <Fact
            name="Solved"
            value={`from a reward of ${environment.success_threshold} on; trajectories of ${environment.default_max_steps} steps unless a run says otherwise`}
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
        <details>
          <summary>On the command line</summary>
          <CommandExample
            label={`Look at ${id}, and play it`}
            text={`espalier environments ${quoteForShell(id)}\nespalier run --environment ${quoteForShell(id)} --method react --model simulated --limit 5`}
          />
        </details>
      </div>
    </Section>
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

function countTasks(splits: EnvironmentInfo['splits']): string {
  const counted = Object.entries(splits).map(([split, count]) => `${split} ${formatCount(count)}`)
  return counted.length === 0 ? 'none yet: they come with a data pack' : counted.join(', ')
}

function describeStates({ deterministic, snapshot }: EnvironmentInfo): string {
  if (snapshot === 'native') return 'are copied: a search goes back to any of them for nothing'
  if (snapshot === 'none') return 'cannot be gone back to: no search'
  return deterministic
    ? 'are gone back to by replay'
    : 'may differ when they are replayed, so that a search can end with replay_diverged'
}

function optionNames(options: EnvironmentInfo['options']): string[] {
  const properties: Json | undefined = options?.properties
  return isObject(properties) ? Object.keys(properties) : []
}
