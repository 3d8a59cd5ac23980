import { roleSchema } from '../../core/contracts/model-choice.ts'
import type { Comparison } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'

type Setting = Comparison['settings'][number]
type UnequalTerm = Comparison['warnings'][number]

interface Term {
  term: UnequalTerm['term']
  name: string
  effect: string
  isField(field: string): boolean
}

type RunTerms = Pick<Run, 'request' | 'resolved'>

const horizonFields = ['method.max_steps', 'method.max_depth']

const terms: readonly Term[] = [
  {
    term: 'temperature',
    name: 'Temperatures',
    effect: 'another temperature gives another policy of the same model',
    isField: (field) => /^(model|method|roles\.\w+)\.temperature$/.test(field),
  },
  {
    term: 'answer_limit',
    name: 'Answer limits',
    effect: 'a shorter limit cuts answers that the other run gets whole',
    isField: (field) => /^(model|roles\.\w+)\.max_tokens$/.test(field),
  },
  {
    term: 'prompt_budget',
    name: 'Prompt budgets',
    effect: 'a smaller budget cuts old turns that the other run still shows',
    isField: (field) => /^(model|roles\.\w+)\.(max_prompt_tokens|max_pictures|reasoning)$/.test(field),
  },
  {
    term: 'sampling',
    name: 'Sampling settings',
    effect: 'the same model answers otherwise',
    isField: (field) => /^(model|roles\.\w+)\.(top_p|reasoning_effort|request(\..*)?)$/.test(field),
  },
  {
    term: 'stop',
    name: 'Stop strings and answer styles',
    effect: 'answers end elsewhere, and another of their actions counts',
    isField: (field) => /^((model|roles\.\w+)\.stop|method\.(style|layout))$/.test(field),
  },
  {
    term: 'actions',
    name: 'Ways to act',
    effect: 'models that were trained to call tools do worse by text, and others the other way round',
    isField: (field) => field === 'method.actions',
  },
  {
    term: 'split',
    name: 'Splits',
    effect: 'only tasks of both are compared, and one split may be easier or seen in training',
    isField: (field) => field === 'tasks.split' || field === 'tasks.generate.split',
  },
  {
    term: 'environment',
    name: 'Options of the environment',
    effect: 'the same actions may have other results and rewards',
    isField: (field) => /^environment_options(\.|$)/.test(field),
  },
  {
    term: 'prompts',
    name: 'Prompts',
    effect: 'another text is another agent',
    isField: (field) => field.startsWith('prompts.'),
  },
  {
    term: 'episode_limits',
    name: 'Limits of an episode',
    effect: 'an episode that may spend more can reach more',
    isField: (field) => field.startsWith('episode_limits.'),
  },
]

/**
 * The unequal terms of the compared runs, so that a difference of settings is not taken for one of methods. The
 * model, the method and its own parameters are the subjects of comparisons, so they are no terms; `settings` lists
 * them.
 * @param settings the differences between the requests, from `differingSettings`
 */
export function unequalTerms(runs: readonly RunTerms[], settings: readonly Setting[]): UnequalTerm[] {
  const resolved = settings
    .map(({ field, values }) => ({ field, values: ofRole(field, runs) ?? stated(field, values) }))
    .filter(({ values }) => new Set(values.map((value) => JSON.stringify(value))).size > 1)
  return [...unequalHorizons(runs), ...terms.flatMap((term) => unequalTerm(term, resolved))]
}

function stated(field: string, values: Setting['values']): Setting['values'] {
  return field === 'method.actions' ? values.map((value) => value ?? 'text') : values
}

const inherited = ['temperature', 'top_p', 'max_tokens', 'max_prompt_tokens'] as const

function ofRole(field: string, runs: readonly RunTerms[]): Setting['values'] | null {
  const [, role, name] = /^roles\.(\w+)\.(\w+)$/.exec(field) ?? []
  const setting = inherited.find((each) => each === name)
  const key = roleSchema.options.find((each) => each === role)
  if (setting === undefined || key === undefined) return null
  return runs.map(({ request }) => request.roles[key]?.[setting] ?? request.model[setting] ?? null)
}

function unequalTerm({ term, name, effect, isField }: Term, settings: readonly Setting[]): UnequalTerm[] {
  return settings
    .filter(({ field }) => isField(field))
    .map(({ field, values }) => ({
      term,
      field,
      values,
      message: `${name} differ (${field}: ${list(values, 'not set')}): ${effect}.`,
    }))
}

function unequalHorizons(runs: readonly RunTerms[]): UnequalTerm[] {
  const values = runs.map(horizonOf)
  if (new Set(values).size < 2) return []
  const shown = list(values, 'as the task says, or without bound')
  return [
    {
      term: 'horizon',
      field: horizonFields.join(' or '),
      values,
      message: `Horizons differ (steps: ${shown}): a longer trajectory can reach what a shorter one cannot.`,
    },
  ]
}

function horizonOf({ request: { method }, resolved }: RunTerms): number | string | null {
  if (resolved !== undefined) {
    const { least, most } = resolved.horizon
    return least === most ? most : `${least} to ${most} by task`
  }
  const horizon = method.max_depth ?? method.max_steps
  return typeof horizon === 'number' ? horizon : null
}

function list(values: Setting['values'], absent: string): string {
  return values.map((value) => (value === null ? absent : String(value))).join(', ')
}
