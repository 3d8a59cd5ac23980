import { Link } from 'react-router'
import { formatBytes, formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import { DefinitionList, Fact, FactList } from '../../components/definition-list.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Section } from '../../components/section.tsx'
import { datasetAddress, modelAddress, runAddress, trainingAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'

const notKnown = 'not known'

export function ModelFacts({
  model,
  childModels,
}: {
  model: RegisteredModel
  childModels: readonly string[]
}) {
  const {
    base,
    bytes,
    chat_template,
    context_length,
    datasets,
    files,
    format,
    licence,
    parent,
    remote,
    runs,
  } = model
  return (
    <Section title="What it is">
      <DefinitionList>
        <Fact
          name="Weights"
          value={
            remote === null
              ? `${format}, ${formatBytes(bytes)} in ${countOf(files.length, 'file')}`
              : `kept by the service of the trainer ${remote.trainer}`
          }
        />
        <Fact
          name="Name there"
          value={remote !== null && <code>{showControls(remote.name)}</code>}
          isShown={remote !== null}
        />
        <Fact
          name="Parent"
          value={
            parent === null ? 'none that is registered' : <Link to={modelAddress(parent)}>{parent}</Link>
          }
        />
        <Fact
          name="Base"
          value={base !== null && <span dir="auto">{showControls(nameSource(base))}</span>}
          isShown={base !== null}
        />
        <Fact
          name="Training"
          value={
            model.training === null ? (
              'none here'
            ) : (
              <Link to={trainingAddress(model.training)}>{model.training}</Link>
            )
          }
        />
        <Fact
          name="Tokenizer"
          value={model.tokenizer === null ? 'none that can be read here' : <code>{model.tokenizer}</code>}
        />
        <Fact
          name="Context"
          value={context_length === null ? notKnown : `${formatCount(context_length)} tokens`}
        />
        <Fact
          name="Licence note"
          value={<span dir="auto">{licence === null ? notKnown : showControls(licence)}</span>}
        />
        <Fact
          name="Datasets"
          value={<Links ids={datasets} to={datasetAddress} />}
          isShown={datasets.length > 0}
        />
        <Fact name="Runs" value={<Links ids={runs} to={runAddress} />} isShown={runs.length > 0} />
        <Fact
          name="Models trained from it"
          value={<Links ids={childModels} to={modelAddress} />}
          isShown={childModels.length > 0}
        />
      </DefinitionList>
      {chat_template !== null && (
        <details>
          <summary>Chat template</summary>
          <ForeignText text={chat_template} />
        </details>
      )}
    </Section>
  )
}

const mostLinks = 100

function Links({ ids, to }: { ids: readonly string[]; to: (id: string) => string }) {
  const left = ids.length - mostLinks
  return (
    <FactList>
      {ids.slice(0, mostLinks).map((id) => (
        <li key={id}>
          <Link to={to(id)}>{id}</Link>
        </li>
      ))}
      {left > 0 && <li className="soft">and {left.toLocaleString('en')} more</li>}
    </FactList>
  )
}

function nameSource(base: NonNullable<RegisteredModel['base']>): string {
  if ('folder' in base) return base.folder
  return base.revision === undefined ? base.hub : `${base.hub} at ${base.revision}`
}
