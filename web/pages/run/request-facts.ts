import { provenanceNotice } from '../../../shared/core/contracts/provenance.ts'
import { describeHorizon } from '../../../shared/core/contracts/resolved-defaults.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'

interface RequestFact {
  name: string
  value: string
}

export function requestFacts({
  passport,
  provenance,
  request,
  resolved,
}: Pick<Run, 'passport' | 'provenance' | 'request' | 'resolved'>): { title: string; facts: RequestFact[] }[] {
  const { experiment, tags, note } = request
  const { preset, method, model, roles, prompts, limits, episode_limits, metadata, tasks, ...rest } = request
  const { id: methodId, ...parameters } = method
  return [
    {
      title: 'Tasks',
      facts: factsOf({
        environment: rest.environment,
        ...(rest.data !== undefined && { data: rest.data }),
        ...rest.environment_options,
        provenance: provenanceNotice(provenance),
        ...tasks,
        epochs: rest.epochs,
      }),
    },
    ...(typeof preset === 'object'
      ? [{ title: 'Preset', facts: factsOf({ preset: preset.id, deviations: preset.deviations.join(' ') }) }]
      : []),
    {
      title: 'Method',
      facts: factsOf({
        method: methodId,
        ...(resolved?.module && { file: resolved.module.file, version: resolved.module.digest }),
        ...parameters,
      }),
    },
    {
      title: 'Settled by default',
      facts: resolved
        ? factsOf({
            horizon: describeHorizon(resolved.horizon),
            ...resolved.parameters,
            ...(resolved.warnings && { warnings: resolved.warnings.join(' ') }),
          })
        : [],
    },
    {
      title: 'Passport',
      facts: passport
        ? factsOf({ digest: passport.digest, tasks: passport.terms.tasks, scorer: passport.terms.scorer })
        : [],
    },
    {
      title: 'Model',
      facts: [
        ...factsOf(model),
        ...Object.entries(roles).map(([role, choice]) => ({ name: role, value: inWords(choice) })),
      ],
    },
    {
      title: 'Playing',
      facts: factsOf({
        hosting: rest.hosting,
        seed: rest.seed,
        ...(rest.sampling_seed !== undefined && { sampling_seed: rest.sampling_seed }),
        max_parallel: rest.max_parallel,
        max_retries: rest.max_retries,
      }),
    },
    {
      title: 'Limits',
      facts: [...factsOf(limits, 'run '), ...factsOf(episode_limits, 'episode ')],
    },
    { title: 'Prompts replaced', facts: Object.entries(prompts).map(([name, value]) => ({ name, value })) },
    {
      title: 'Labels',
      facts: factsOf({
        ...(experiment !== undefined && { experiment }),
        ...(tags !== undefined && { tags }),
        ...(note !== undefined && { note }),
        ...metadata,
      }),
    },
  ].filter(({ facts }) => facts.length > 0)
}

function factsOf(values: object, before = ''): RequestFact[] {
  return Object.entries(values).map(([name, value]) => ({ name: `${before}${name}`, value: inWords(value) }))
}

const mostItems = 20

function inWords(value: unknown): string {
  if (Array.isArray(value)) {
    const more = value.length - mostItems
    const shown = value.slice(0, mostItems).map(inWords).join(', ')
    return more > 0 ? `${shown} and ${more} more` : shown
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]) => `${name} ${inWords(part)}`)
      .join(', ')
  }
  return String(value)
}
