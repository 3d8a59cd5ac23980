import type { PresetId } from '../../core/contracts/preset.ts'
import type { PaperRecipe, PaperRow } from './recipe.ts'

const paper = 'LearnAct, Zhao et al. 2024 (arXiv 2402.15809)'

const methods = [
  ['Act', 'learnact-act'],
  ['ReAct', 'learnact-react'],
  ['Act + Reflexion', 'learnact-act-reflexion'],
  ['ReAct + Reflexion', 'learnact-react-reflexion'],
  ['Code as policy', 'learnact-code-as-policy'],
  ['LearnAct', 'learnact'],
] as const

const rowsOf = (size: 'GPT-4' | 'GPT-3.5'): PaperRow[] =>
  methods.map(([label, preset]) => ({
    label: `${label}, ${size}`,
    published: [null, null],
    preset: (size === 'GPT-4' ? preset : `${preset}-gpt-3.5`) as PresetId,
    ...(size === 'GPT-3.5' && { uses: 'small', keeps: 'learner' as const }),
    ...(preset === 'learnact-code-as-policy' && { environments: ['pddl'] }),
  }))

export const learnactPaper: PaperRecipe = {
  id: 'learnact',
  paper,
  models: 'GPT-4, which also learns for GPT-3.5',
  uses: { small: 'GPT-3.5, the smaller model that acts' },
  needs: [
    { need: 'GPU hours', states: 'none: the paper asks models of an API' },
    { need: 'sites', states: 'none' },
  ],
  data: {
    pddl: 'AgentBoard’s folder of problems: espalier data add pddl FOLDER',
    alfworld: 'the games of ALFWorld: espalier data add alfworld FOLDER (json_2.1.1)',
  },
  practice: { pddl: 'pddl', alfworld: 'alfworld' },
  tables: (['GPT-4', 'GPT-3.5'] as const).map((size) => ({
    title: `Success by method, ${size} (table 1 of the paper: its numbers are not known here)`,
    source: `${paper}: section 10 of its fact sheet, which could not retrieve the numbers`,
    figure: 'success_rate',
    columns: [
      { label: 'robotic planning', environment: 'pddl', count: 60 },
      { label: 'ALFWorld', environment: 'alfworld', count: 134 },
    ],
    rows: rowsOf(size),
  })),
}
