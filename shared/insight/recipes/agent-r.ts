import { hoursUnknown, type PaperRecipe } from './recipe.ts'

const paper = 'Agent-R, Yuan et al. 2025 (arXiv 2501.11425)'

const columns = [
  {
    label: 'WebShop',
    environment: 'webshop',
    list: 'Agent-R’s webshop_test.json',
    count: 200,
  },
  {
    label: 'SciWorld',
    environment: 'scienceworld-plain',
    list: 'Agent-R’s sciworld_test.json',
    count: 200,
  },
  { label: 'TextCraft', environment: 'textcraft', count: 100 },
]

export const agentRPaper: PaperRecipe = {
  id: 'agent-r',
  paper,
  models: 'Llama-3.1-8B-Instruct, and the model of iteration 3 that is trained from it',
  uses: {
    trained: 'the model of iteration 3: espalier loop agent-r --environment E --base Llama-3.1-8B-Instruct',
  },
  training: {
    loop: 'agent-r',
    base: 'Llama-3.1-8B-Instruct',
    needsExperts: false,
    models: { trained: 'last' },
    deviations: ['The paper trains one model for all three environments; here each environment has its own.'],
  },
  needs: [
    { need: 'GPU', states: 'training: 8 A100 of 80 GB' },
    { need: 'GPU hours', states: hoursUnknown },
    { need: 'sites', states: 'none' },
  ],
  data: {
    webshop: 'WebShop’s small catalogue: espalier data fetch webshop',
    'scienceworld-plain': 'none: the simulator has the tasks; Java 17 on the machine of its hosts',
    textcraft: 'the recipes of an AgentGym server: espalier data add textcraft FOLDER',
  },
  practice: { webshop: 'webshop', 'scienceworld-plain': 'textcraft', textcraft: 'textcraft' },
  tables: [
    {
      title: 'Final scores after three iterations (the number of the table in the paper is not known)',
      source: `${paper}: section A8 of its fact sheet, from public summaries`,
      figure: 'reward',
      columns,
      rows: [
        {
          label: 'Llama-3.1-8B-Instruct, as it is',
          published: [null, null, null],
          preset: 'agent-r-eval-raw',
        },
        {
          label: 'Agent-R, iteration 3',
          published: [63.91, 70.23, 78],
          preset: 'agent-r-eval',
          uses: 'trained',
        },
      ],
    },
  ],
}
