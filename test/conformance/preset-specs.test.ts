import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PresetSetting } from '../../shared/core/contracts/preset.ts'
import { presets } from '../../shared/play/presets/presets.ts'
import { conformanceFolder } from './conformance-folder.ts'

const folder = join(conformanceFolder, '../specs')
const isAbsent = !existsSync(join(folder, 'exact.md'))
const title = isAbsent ? 'specs (skipped: they are absent)' : 'specs'

// The fact sheet of each system, by the beginning of a preset's id.
const sheets = { exact: 'exact.md', 'agent-r': 'agent-r.md', eto: 'eto.md', learnact: 'learnact.md' }

// Facts that a sheet words in another way than a source, or the issue states: by field and value.
const worded: Readonly<Record<string, string>> = {
  'method.max_steps 5': 'max_steps 5',
  'method.max_steps 100': '--max_steps` 100',
  'method.exploration 0.25': 'c_uct 0.25',
  'method.exploration 0.0025': 'SciWorld values are 0..100',
  'method.exploration 1': 'c = `cpuct` = 1.0',
  'method.parallel 1': 'For i in 1..N_GEN sequentially',
  'method.samples 4': '4 candidates per node',
  'method.iterations 8': 'k=8 rollouts',
  'method.max_depth 20': 'depth 20',
  'method.round_size 1': 'Only between tasks',
  'method.tries 4': 'up to 4 attempts',
  'method.tries 1': 'one call without stop',
  'method.train_tasks 3': '--split_dataset_num 3',
  'method.train_steps 10': 'max_steps forced to 10',
  'method.verdicts 3': 'each n=3',
  'method.verdicts 20': 'then n=20',
  'method.max_steps 10': '| 10 | per task',
  'method.max_steps 40': '| 40 |',
  'method.max_steps 15': '`max_steps` 15',
  'method.proposals 20': 'max(2·branching_factor, 20)',
  'model.max_prompt_tokens 6940': 'MAX_TOKEN_LENGTH − 60',
  'model.max_prompt_tokens 3583': 'context - max_new_tokens - 1',
  'model.max_prompt_tokens 8192': 'gpt-4 8192',
  'model.max_prompt_tokens 4096': 'gpt-3.5 4096',
  'model.top_p 1': 'top_p < 1e-8 as greedy',
  'model.temperature 1': 'set to "1" when absent',
  'roles.learner.temperature 0': 'temperature 0.0',
  'roles.value.temperature 0.7': 'n=20, temp 0.7, 256 tokens',
  'roles.debate.temperature 0.1': 'temp 0.1',
  'roles.debate.top_p 0.9': 'temp 0.1, top_p 0.9',
  'roles.value.max_tokens 256': 'max_tokens 256',
  'roles.debate.max_tokens 256': 'max_tokens 256',
  'method.branching 2': 'branching 2 sample',
  'method.branching 10': 'branching 10 random',
  'method.policy_likeness 0.5': 'min_retrieval_score .5',
  'method.policy_threshold 0.25': 'reflection_threshold .25',
  'roles.value.temperature 1': 'temp 1.0, top_p 0.95',
  'roles.value.top_p 0.95': 'temp 1.0, top_p 0.95',
  'roles.reflection.temperature 0.7': 'temp 0.7, top_p 0.9; 384 tokens VWA, 400 OSWorld',
  'roles.reflection.top_p 0.9': 'temp 0.7, top_p 0.9; 384 tokens VWA, 400 OSWorld',
  'roles.reflection.max_tokens 400': '400 OSWorld',
  'roles.reflection.max_tokens 384': '384 tokens VWA',
  'environment_options.pause 1': '`sleep_after_execution` 1.0',
  'epochs 3': 'three repetitions',
}

const plain = (text: string) => text.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ')

// The words and number that a source quotes of its script, such as `vf_budget 20`.
function quoted({ source, value }: PresetSetting): string[] {
  return [...source.matchAll(/([A-Za-z_-]+)[ =](-?\.?\d[\d.]*)/g)].flatMap(([all, , number]) =>
    Number(number) === value ? [all] : [],
  )
}

describe.skipIf(isAbsent)(title, () => {
  const settings = presets.flatMap((preset) => {
    const [, sheet] = Object.entries(sheets).find(([name]) => preset.id.startsWith(name)) ?? []
    return preset.settings.flatMap((setting) =>
      typeof setting.value === 'number' ? [[preset.id, setting.field, setting, sheet ?? ''] as const] : [],
    )
  })

  test.each(settings)('%s has %s as its fact sheet', (_id, field, setting, sheet) => {
    const text = plain(readFileSync(join(folder, sheet), 'utf8'))
    const known = worded[`${field} ${setting.value}`]
    const wanted = [...quoted(setting), ...(known === undefined ? [] : [known])].map(plain)
    expect(
      wanted.some((words) => text.includes(words)),
      `${setting.source}: ${wanted.join(' | ')}`,
    ).toBe(true)
  })

  test('names a file of its repository for every number', () => {
    for (const [id, field, { source }] of settings) {
      expect([id, field, source]).toEqual([
        id,
        field,
        expect.stringMatching(/\.(?:sh|py)\b|arXiv|settings|code|eval_agent|fastchat|FastChat/),
      ])
    }
  })
})
