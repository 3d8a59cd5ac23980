import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import type { RolloutFigures } from '../../../shared/core/contracts/rollout-figures.ts'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'

export function FiguresSection({
  rollout: { groups, in_flight, usage, version },
  figures: { flat_share, groups: shown, means, tokens_per_second },
}: {
  rollout: RolloutRun
  figures: RolloutFigures
}) {
  const over = `over the newest ${countOf(shown.length, 'group')}`
  return (
    <Section title="Figures">
      <div aria-live="off">
        <Stats>
          <Stat name="Groups" note={`${formatCount(groups.complete)} complete`}>
            {formatCount(groups.finished)} of {formatCount(groups.total)}
          </Stat>
          <Stat name="Reward" note={over}>
            {formatNumber(means.reward, 3)}
          </Stat>
          <Stat name="Group variance" note="of rewards in a group">
            {formatNumber(means.variance, 3)}
          </Stat>
          <Stat name="Without signal" note="groups of equal rewards">
            {flat_share === null ? noNumber : `${Math.round(flat_share * 100)} %`}
          </Stat>
          <Stat name="Entropy" note="nats a token">
            {formatNumber(means.entropy, 3)}
          </Stat>
          <Stat name="Policy lag" note="versions">
            {formatNumber(means.lag, 1)}
          </Stat>
          <Stat name="Tokens per second" note="answers, while it runs">
            {tokens_per_second === null ? noNumber : formatCount(Math.round(tokens_per_second))}
          </Stat>
          <Stat name="Policy" note={`at most ${countOf(in_flight, 'episode')} in flight`}>
            <span dir="auto">{showControls(version)}</span>
          </Stat>
          <Stat name="Cost">{formatMoney(usage.cost)}</Stat>
        </Stats>
      </div>
    </Section>
  )
}
