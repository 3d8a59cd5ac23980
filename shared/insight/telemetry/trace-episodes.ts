import { episodeId } from '../../core/contracts/episode.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import type { EpisodeObserver, ObservedEpisode, TurnObserver } from '../../core/engine/episode-observer.ts'
import type { EffectRecord } from '../../core/engine/journal-record.ts'
import type { TreeEntry } from '../../play/search/tree-entry.ts'
import { describeCall, describeStep, describeUsage } from './effect-attributes.ts'
import type { EndedSpan, SpanSink } from './span.ts'
import { episodePlace, runPlace, spanPlace } from './span-ids.ts'

interface EffectTimes {
  began: number
  ended: number
}

/**
 * Creates a trace for each episode, with a span for each model call, each step, and the episode itself once it ends.
 * Also creates a trace for each run, to which its episodes link. Spans come from commits in this process, so a
 * replay's journal answers are not traced again.
 * @see OpenTelemetry semantic conventions for GenAI: `chat`, `embeddings`, `execute_tool`, `invoke_agent`
 */
export function traceEpisodes(sink: Pick<SpanSink, 'send'>, now: () => number): EpisodeObserver {
  return {
    turn: (episode) => traceTurn(sink, now, episode),
    ended(episode, result) {
      const { request } = episode
      const { status, reward, success, steps, nodes, limit, error, usage } = result
      const method = request.method.id
      sink.send({
        ...episodePlace(episode),
        parentId: null,
        name: `invoke_agent ${method}`,
        kind: 'internal',
        began: episode.began,
        ended: now(),
        link: runPlace(episode.run, episode.generation),
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': method,
          'gen_ai.conversation.id': `${episode.run}/${episodeId(episode.index)}`,
          'gen_ai.provider.name': request.model.endpoint,
          'gen_ai.request.model': request.model.id,
          ...nameOf(episode),
          'espalier.episode.status': status,
          'espalier.episode.steps': steps,
          'espalier.episode.nodes': nodes,
          ...(reward !== null && { 'espalier.episode.reward': reward }),
          ...(success !== null && { 'espalier.episode.success': success }),
          ...(limit !== null && { 'espalier.episode.limit': limit }),
          ...describeUsage(usage),
        },
        ...(error !== null && { error: { type: error.name, message: error.message } }),
      })
    },
    runEnded({ id, generation, status, reason, created_at, started_at, ended_at, total }) {
      sink.send({
        ...runPlace(id, generation),
        parentId: null,
        name: `run ${id}`,
        kind: 'internal',
        began: started_at ?? created_at,
        ended: ended_at ?? now(),
        attributes: { 'espalier.run.id': id, 'espalier.run.status': status, 'espalier.run.episodes': total },
        ...(status === 'failed' && { error: { type: 'failed', message: reason ?? 'The run failed.' } }),
      })
    },
  }
}

function traceTurn(sink: Pick<SpanSink, 'send'>, now: () => number, episode: ObservedEpisode): TurnObserver {
  const times = new Map<string, EffectTimes>()
  const asked = new Map<string, EffectScopeRequest>()
  const steps = new Map<string, EffectTimes>()
  const parent = episodePlace(episode)
  const whole = nameOf(episode)
  const send = (key: string, span: Pick<EndedSpan, 'name' | 'kind' | 'attributes'>, at: EffectTimes) =>
    sink.send({
      ...spanPlace(['episode', episode.run, episode.index], ['attempt', episode.attempt, key]),
      parentId: parent.spanId,
      ...at,
      ...span,
      attributes: { ...span.attributes, ...whole, 'espalier.effect': key },
    })

  function sendEffect({ effect, result, usage }: EffectRecord, committed: number): void {
    const at = times.get(effect) ?? { began: committed, ended: committed }
    const call = describeCall(asked.get(effect)?.settings ?? null, result, usage)
    times.delete(effect)
    asked.delete(effect)
    if (call !== null) send(effect, { ...call, kind: 'client' }, at)
    else if (effect.endsWith('/step')) steps.set(effect, at)
  }

  return {
    scope: (scope) => ({
      effect: (key, request, perform) =>
        scope.effect(key, request, async (...signals) => {
          const began = now()
          asked.set(key, request)
          const outcome = await perform(...signals)
          times.set(key, { began, ended: now() })
          return outcome
        }),
      compute: (perform) => scope.compute(perform),
      tokensOf: (call, answer) => scope.tokensOf(call, answer),
      write: (entry) => scope.write(entry),
      beforeStep: () => scope.beforeStep(),
      random: (key) => scope.random(key),
      elapsed: () => scope.elapsed(),
    }),
    committed(records) {
      const committed = now()
      for (const record of records) {
        if ('effect' in record) sendEffect(record, committed)
        else if ('entry' in record) {
          const entry = record.entry as TreeEntry
          if (!('node' in entry)) continue
          const { environment } = episode.request
          const key = `${entry.node.effect}/step`
          const at = steps.get(key) ?? { began: committed, ended: committed }
          steps.delete(key)
          const attributes = describeStep(entry.node, environment)
          send(key, { name: `execute_tool ${environment}`, kind: 'internal', attributes }, at)
        }
      }
    },
  }
}

type EffectScopeRequest = Parameters<EffectScope['effect']>[1]

function nameOf({ run, index, task, epoch, attempt, request }: ObservedEpisode): EndedSpan['attributes'] {
  return {
    'espalier.run.id': run,
    'espalier.episode.id': episodeId(index),
    'espalier.task': task,
    'espalier.epoch': epoch,
    'espalier.attempt': attempt,
    'espalier.environment': request.environment,
    'espalier.method': request.method.id,
  }
}
