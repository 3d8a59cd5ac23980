import { Link } from 'react-router'
import type { Json } from '../../../shared/core/contracts/json.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { Fact, Facts } from '../../components/facts.tsx'
import { JsonText } from '../../components/json-text.tsx'
import { Section } from '../../components/section.tsx'
import { modelAddress } from '../../format/addresses.ts'
import { nameBase } from '../../format/name-base.ts'
import { showControls } from '../../format/show-controls.ts'

export function RequestSection({ request }: { request: Training['request'] }) {
  const { base, checkpoint_steps, hyperparameters, keep_checkpoints, lora, recipe, seed, trainer } = request
  return (
    <Section title="Settings">
      <Facts>
        <Fact
          name="Base"
          value={
            'registered' in base ? (
              <Link to={modelAddress(base.registered)}>{base.registered}</Link>
            ) : (
              <span dir="auto">{showControls(nameBase(base))}</span>
            )
          }
        />
        <Fact name="Recipe" value={recipe} />
        <Fact name="Trainer" value={trainer} />
        <Fact
          name="Weights"
          value={lora === null ? 'all are trained' : `adapters of rank ${lora.rank}, alpha ${lora.alpha}`}
        />
        <Fact name="Seed" value={seed} />
        <Fact
          name="Checkpoint every"
          value={checkpoint_steps === undefined ? 'a tenth of all steps' : `${checkpoint_steps} steps`}
        />
        <Fact name="Checkpoints kept" value={keep_checkpoints} />
        {Object.entries(hyperparameters).map(([name, value]) => (
          <Fact key={name} name={<code>{name}</code>} value={<JsonText of={value as Json} />} />
        ))}
      </Facts>
    </Section>
  )
}
