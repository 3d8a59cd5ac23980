import { useState } from 'react'
import { useLocation } from 'react-router'
import { faultNames } from '../../../shared/core/client/format-faults.ts'
import { formatBytes } from '../../../shared/core/client/format-quantity.ts'
import type { ModelCall as Call } from '../../../shared/core/contracts/node-detail.ts'
import type { TreeTool } from '../../../shared/core/contracts/tree.ts'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { Conversation } from '../../components/conversation.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { JsonText } from '../../components/json-text.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Thoughts } from '../../components/thoughts.tsx'
import { countOf } from '../../format/count-of.ts'
import { isEmbedded } from '../../format/embed-address.ts'
import { shortText } from '../../format/short-text.ts'
import { showControls } from '../../format/show-controls.ts'
import { groupAnswers } from '../../tree/group-answers.ts'
import { AskAgain } from './ask-again.tsx'
import styles from './model-call.module.css'
import type { NodePlace } from './node-panel.tsx'
import { PanelPart } from './panel-part.tsx'
import { UsageLine } from './usage-line.tsx'

type Called = NonNullable<Call['endings'][number]['calls']>

const some = 6

export function ModelCall({
  call,
  taken,
  tools = [],
  place,
}: {
  call: Call
  taken: string | null
  tools?: readonly TreeTool[]
  place?: NodePlace
}) {
  const { key, asked, model, messages, usage } = call
  const [shown, setShown] = useState(some)
  const isInFrame = isEmbedded(useLocation())
  const grouped = groupAnswers(call, taken)
  const length = messages.reduce((sum, { content }) => sum + content.length, 0)
  return (
    <div className={styles.modelCall}>
      <p className={styles.callHead}>
        <b>{asked}</b>
        {model !== null && <bdi>{shortText(model, 120)}</bdi>}
        <code title="The effect in the journal">{shortText(key, 120)}</code>
      </p>
      <PanelPart
        title="Prompt"
        note={`${countOf(messages.length, 'message')}, ${formatBytes(length)}`}
        level={4}
      >
        <Conversation
          turns={messages.map(({ role, content, thinking }, position) => ({
            id: String(position),
            role,
            content,
            ...(thinking && { thoughts: thinking.text }),
          }))}
        />
      </PanelPart>
      {asked === 'policy' && tools.length > 0 && <OfferedTools tools={tools} call={call} />}
      <ol className={styles.callAnswers} aria-label="Answers">
        {grouped.slice(0, shown).map(({ text, count, endings, thoughts }) => (
          <li key={text} className={styles.callAnswer} data-taken={text === taken}>
            {(text === taken || count > 1 || endings.length > 0) && (
              <p className={styles.answerNote}>
                {text === taken && <b className={styles.answerTaken}>taken</b>}
                {count > 1 && <span>{count} times</span>}
                {endings.map(({ call_format, fault, finish_reason }) => (
                  <span
                    key={`${finish_reason} ${call_format}`}
                    className={fault === null ? undefined : styles.answerFault}
                    title="Why the answer ended, in the words of the endpoint"
                  >
                    {finish_reason !== null && <code>{shortText(finish_reason, 60)}</code>}
                    {fault !== null && ` ${faultNames[fault]}`}
                    {call_format !== undefined && ` ${call_format} call`}
                  </span>
                ))}
              </p>
            )}
            {thoughts.map((each) => (
              <Thoughts key={each} text={each} />
            ))}
            {endings[0]?.calls !== undefined && <CalledTools calls={endings[0].calls} />}
            <LongText label="Answer" text={text} />
          </li>
        ))}
      </ol>
      {grouped.length > shown && (
        <ButtonRow>
          <Button onClick={() => setShown(grouped.length)}>{grouped.length - shown} more answers</Button>
        </ButtonRow>
      )}
      {usage !== null && <UsageLine usage={usage} />}
      {place !== undefined &&
        !isInFrame &&
        messages.length > 0 &&
        (asked !== 'policy' || tools.length === 0) && <AskAgain call={call} place={place} />}
    </div>
  )
}

export function ModelCalls({
  title,
  calls,
  tools,
  place,
  taken = null,
  isOpen = false,
}: {
  title: string
  calls: readonly Call[]
  tools: readonly TreeTool[]
  place: NodePlace
  taken?: string | null
  isOpen?: boolean
}) {
  const answers = calls.reduce((sum, call) => sum + call.answers.length, 0)
  const note = `${calls.length > 1 ? `${countOf(calls.length, 'call')}, ` : ''}${countOf(answers, 'answer')}`
  return (
    <PanelPart title={title} note={note} isOpen={isOpen}>
      {calls.map((call) => (
        <ModelCall key={call.key} call={call} taken={taken} tools={tools} place={place} />
      ))}
    </PanelPart>
  )
}

function OfferedTools({ tools, call }: { tools: readonly TreeTool[]; call: Call }) {
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

function CalledTools({ calls }: { calls: Called }) {
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
