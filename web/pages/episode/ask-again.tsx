import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { CallQuestionInput } from '../../../shared/core/contracts/call-question.ts'
import type { ModelCall } from '../../../shared/core/contracts/node-detail.ts'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import form from '../../components/form/form.module.css'
import { ModelFields } from '../../components/form/model-fields.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { useEndpoints } from '../../service/catalogue.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import styles from './model-call.module.css'
import type { NodePlace } from './node-panel.tsx'
import { PanelPart } from './panel-part.tsx'
import { UsageLine } from './usage-line.tsx'

type Place = Pick<NodePlace, 'run' | 'episode'>

export function AskAgain({ call, place }: { call: ModelCall; place: Place }) {
  const endpoints = useEndpoints()
  return (
    <PanelPart title="Ask again" level={4}>
      <Loaded what="the endpoints" query={endpoints}>
        {(known) => <Question call={call} place={place} endpoints={known} />}
      </Loaded>
    </PanelPart>
  )
}

function Question({
  call,
  place,
  endpoints,
}: {
  call: ModelCall
  place: Place
  endpoints: NonNullable<ReturnType<typeof useEndpoints>['data']>
}) {
  const [choice, setChoice] = useState(() => firstChoice(call.model, endpoints))
  const settled = useDebounced(choice, 300)
  const toRequest = ({ endpoint, model }: typeof choice): CallQuestionInput => ({
    call: call.key,
    model: { endpoint, id: model },
  })
  const isChosen = settled.endpoint !== '' && settled.model !== ''
  const price = useQuery({
    queryKey: ['question', place.run, place.episode, toRequest(settled)],
    queryFn: () => api.priceQuestion(place.run, place.episode, toRequest(settled)),
    enabled: isChosen,
    retry: false,
  })
  const asking = useMutation({
    mutationFn: () => api.askQuestion(place.run, place.episode, toRequest(settled)),
  })
  const isSettled = settled === choice && price.data !== undefined
  return (
    <div className={form.stack}>
      <ModelFields
        endpoint={choice.endpoint}
        model={choice.model}
        endpoints={endpoints}
        errors={{}}
        fallback={null}
        onChange={setChoice}
      />
      <p role="status" className={styles.usageLine}>
        {price.data && settled === choice && priceText(price.data)}
      </p>
      {price.isError && <Refusal error={price.error} />}
      <ButtonRow>
        <Button
          kind="primary"
          disabled={!isSettled || asking.isPending || asking.isSuccess}
          onClick={() => asking.mutate()}
        >
          {asking.isPending ? 'Asking …' : 'Ask'}
        </Button>
      </ButtonRow>
      {asking.isError && <Refusal error={asking.error} />}
      {asking.data && (
        <Answer key={asking.data.id} run={asking.data.id} old={call} onDone={() => asking.reset()} />
      )}
    </div>
  )
}

function Answer({ run, old, onDone }: { run: string; old: ModelCall; onDone: () => void }) {
  const isKept = useRef(false)
  const isShown = useRef(false)
  const [kept, setKept] = useState(false)
  const state = useQuery({
    queryKey: ['question-run', run],
    queryFn: () => api.run(run),
    refetchInterval: ({ state: { data } }) => (data && isOver(data.status) ? false : 1000),
  })
  const status = state.data?.status
  const over = status !== undefined && isOver(status)
  const calls = useQuery({
    queryKey: ['question-calls', run],
    queryFn: async () => (await api.calls(run, 'ep-0000000')).calls,
    enabled: status === 'succeeded',
  })
  // Nothing stays unless it is kept: the run is removed when the panel goes.
  // React's strict mode takes an effect back and runs it again at once, so the decision waits for that.
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      queueMicrotask(() => {
        if (!isShown.current && !isKept.current) void discard(run)
      })
    }
  }, [run])
  const keep = () => {
    isKept.current = true
    setKept(true)
  }
  const answer = calls.data?.[0]
  return (
    <>
      <p role="status">
        {!over && 'The model is being asked …'}
        {over && status !== 'succeeded' && 'There is no answer.'}
        {answer && 'The answer is here.'}
      </p>
      {over && status !== 'succeeded' && (
        <Notice tone="bad">{showControls(state.data?.status_reason ?? `The question ${status}.`)}</Notice>
      )}
      {answer && (
        <div className={styles.debate}>
          <section className={styles.debateSide} aria-label="The answer then">
            <h4>Then: {showControls(old.model ?? 'unknown model')}</h4>
            <LongText label="The answer then" text={old.answers[0] ?? ''} />
          </section>
          <section className={styles.debateSide} aria-label="The answer now">
            <h4>Now: {showControls(answer.model ?? 'unknown model')}</h4>
            <LongText label="The answer now" text={answer.answers[0] ?? ''} />
            {answer.usage && <UsageLine usage={answer.usage} />}
          </section>
        </div>
      )}
      {over && (
        <ButtonRow>
          {kept ? (
            <span>
              Kept as the run <Link to={runAddress(run)}>{run}</Link>.
            </span>
          ) : (
            <Button onClick={keep}>Keep</Button>
          )}
          <Button onClick={onDone}>{kept ? 'Ask once more' : 'Discard'}</Button>
        </ButtonRow>
      )}
    </>
  )
}

async function discard(run: string): Promise<void> {
  try {
    if (!isFinal((await api.run(run)).status)) await api.changeRun(run, 'cancel')
    await api.deleteRun(run)
  } catch {
    // The run stays in the list of runs, and can be deleted there.
  }
}

function isFinal(status: string): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

function isOver(status: string): boolean {
  return status !== 'queued' && status !== 'running'
}

function firstChoice(
  model: string | null,
  endpoints: readonly { id: string; models: readonly string[] }[],
): { endpoint: string; model: string } {
  const slash = model?.indexOf('/') ?? -1
  const asked = { endpoint: model?.slice(0, slash) ?? '', model: model?.slice(slash + 1) ?? '' }
  if (slash > 0 && endpoints.some(({ id }) => id === asked.endpoint)) return asked
  return { endpoint: endpoints[0]?.id ?? '', model: endpoints[0]?.models[0] ?? '' }
}

function priceText({
  answer_tokens,
  cost,
  limits,
  prompt_tokens,
}: Awaited<ReturnType<typeof api.priceQuestion>>): string {
  const tokens = `at most ${formatCount(prompt_tokens)} tokens in and ${formatCount(answer_tokens)} out`
  const cap =
    limits.cost === undefined ? `${formatCount(limits.tokens ?? 0)} tokens` : formatMoney(limits.cost)
  return `${formatMoney(cost)}, ${tokens}; with retries it stops at ${cap}.`
}
