import { hoursUnknown, type PaperRecipe, type PaperRow } from './recipe.ts'

const paper = 'ETO, Song et al. 2024 (arXiv 2403.02502)'
const games = 'the games of ALFWorld: espalier data add alfworld FOLDER (json_2.1.1)'

const onlyPublished = (label: string, published: number[], why: string): PaperRow => ({
  label,
  published,
  why,
})

export const etoPaper: PaperRecipe = {
  id: 'eto',
  paper,
  models: 'Llama-2-7B-Chat, and the models that SFT and ETO train from it',
  uses: {
    sft: 'the model of the warm start of espalier loop eto --environment E --base Llama-2-7b-chat-hf --expert EXPERTS',
    eto: 'the model of the last round of that loop',
    'gpt-4': 'GPT-4',
    'gpt-3.5': 'GPT-3.5-Turbo',
  },
  training: {
    loop: 'eto',
    base: 'Llama-2-7b-chat-hf',
    needsExperts: true,
    models: { sft: 'first', eto: 'last' },
    deviations: [],
  },
  needs: [
    { need: 'GPU', states: 'training: 4 GPUs, batches of 64 (4 each, accumulated 4 times)' },
    { need: 'GPU hours', states: hoursUnknown },
    { need: 'experts', states: 'ETO’s expert trajectories: espalier import FILE --format eto' },
    { need: 'sites', states: 'none' },
  ],
  data: {
    webshop: 'WebShop’s whole catalogue with its human goals: espalier data add webshop FOLDER',
    scienceworld: 'none: the simulator has the tasks; Java 17 on the machine of its hosts',
    alfworld: games,
  },
  practice: { webshop: 'webshop', scienceworld: 'textcraft', alfworld: 'alfworld' },
  tables: [
    {
      title: 'Average reward of ETO and its baselines (the number of the table in the paper is not known)',
      source: `${paper}: section 8 of its fact sheet, from later papers that reprint the table`,
      figure: 'reward',
      columns: [
        { label: 'WebShop', environment: 'webshop', list: 'ETO’s list of test goals', count: 200 },
        {
          label: 'SciWorld seen',
          environment: 'scienceworld',
          list: 'ETO’s list of dev tasks',
          count: 194,
        },
        {
          label: 'SciWorld unseen',
          environment: 'scienceworld',
          list: 'ETO’s list of test tasks',
          count: 211,
        },
        { label: 'ALFWorld seen', environment: 'alfworld', tasks: { split: 'valid_seen' }, count: 140 },
        { label: 'ALFWorld unseen', environment: 'alfworld', tasks: { split: 'valid_unseen' }, count: 134 },
      ],
      rows: [
        {
          label: 'GPT-4',
          published: [63.2, 64.8, 64.4, 42.9, 38.1],
          preset: 'eto',
          uses: 'gpt-4',
        },
        {
          label: 'GPT-3.5-Turbo',
          published: [62.4, 16.5, 13, 7.9, 10.5],
          preset: 'eto',
          uses: 'gpt-3.5',
        },
        { label: 'Llama-2-7B-Chat', published: [17.9, 3.8, 3.1, 0, 0], preset: 'eto' },
        { label: '+ SFT', published: [63.1, 67.4, 53, 60, 67.2], preset: 'eto', uses: 'sft' },
        onlyPublished('+ Best-of-N', [67.9, 70.2, 57.6, 62.1, 69.4], 'N is not in our sources'),
        onlyPublished('+ RFT', [63.6, 71.6, 54.3, 62.9, 66.4], 'train it with espalier loop rft'),
        onlyPublished('+ PPO', [64.2, 59.4, 51.7, 22.1, 29.1], 'no trainer here does PPO'),
        { label: '+ ETO', published: [67.4, 73.8, 65, 68.6, 72.4], preset: 'eto', uses: 'eto' },
      ],
    },
  ],
}
