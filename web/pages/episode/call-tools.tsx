import type { ModelCall } from '../../../shared/core/contracts/node-detail.ts'
import type { TreeTool } from '../../../shared/core/contracts/tree.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { JsonText } from '../../components/json-text.tsx'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './model-call.module.css'
import { PanelPart } from './panel-part.tsx'

type Called = NonNullable<ModelCall['endings'][number]['calls']>

export function OfferedTools({ tools, call }: { tools: readonly TreeTool[]; call: ModelCall }) {
  const called = new Set(call.endings.flatMap(({ calls = [] }) => calls.map(({ name }) => name)))
  return (
    <PanelPart title="Tools" note={`${tools.length} offered, ${called.size} called`} level={4}>
      <ul className={styles.tools}>
        {tools.map(({ action, description, name }) => (
          <li key={name}>
            <p>
              <b dir="auto">{showControls(name)}</b>
              {called.has(name) && <span className={styles.answerTaken}> called</span>}
            </p>
            <ForeignText text={description} />
            <p>
              Action: <code dir="auto">{showControls(action)}</code>
            </p>
          </li>
        ))}
      </ul>
    </PanelPart>
  )
}

export function CalledTools({ calls }: { calls: Called }) {
  return (
    <ul className={styles.tools} aria-label={`Calls ${countOf(calls.length, 'tool')}`}>
      {calls.map(({ name, arguments: given }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call's place is its name
        <li key={place}>
          <b dir="auto">{showControls(name === '' ? 'a call that cannot be read' : name)}</b>{' '}
          <code>
            <JsonText of={given} />
          </code>
        </li>
      ))}
    </ul>
  )
}
