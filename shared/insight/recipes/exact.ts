import { hoursUnknown, type PaperRecipe } from './recipe.ts'

const paper = 'ExACT, Yu et al. 2024 (arXiv 2410.02052)'

const columns = [
  ['Classifieds', 234],
  ['Reddit', 210],
  ['Shopping', 466],
] as const

export const exactVwaPaper: PaperRecipe = {
  id: 'exact-vwa',
  paper,
  models: 'GPT-4o, for the agent, the judges and the reflections',
  needs: [
    {
      need: 'sites',
      states: 'VisualWebArena’s classifieds, reddit and shopping, registered in environments.json',
    },
    { need: 'machines', states: 'Chromium on the machines of the hosts' },
    {
      need: 'GPU hours',
      states: 'none for the agent; the paper captions with BLIP-2, at least 12 GB for each process',
    },
  ],
  data: { visualwebarena: 'its task files and pictures: espalier data add visualwebarena FOLDER' },
  practice: { visualwebarena: 'textcraft' },
  tables: [
    {
      title: 'Success on VisualWebArena (the number of the table in the paper is not known)',
      source: `${paper}: section 7.1 of its fact sheet, from two sources, one, or unconfirmed ones`,
      figure: 'success_rate',
      columns: columns.map(([label, count]) => ({
        label,
        environment: 'visualwebarena',
        tasks: { types: [label.toLowerCase()] },
        count,
      })),
      rows: [
        { label: 'ReACT', published: [28.6, 13.8, 23.2], preset: 'exact-vwa-react' },
        { label: 'ToT, breadth first', published: [30.7, 19.5, 29.2], preset: 'exact-vwa-tot' },
        {
          label: 'ToT, depth first',
          published: [30.3, 16.7, 28.3],
          preset: 'exact-vwa-tot',
          method: { id: 'tree-of-thoughts', order: 'depth' },
        },
        { label: 'Search agent', published: [33.8, 21.9, 30.3], preset: 'exact-vwa-search' },
        { label: 'MCTS, one judge', published: [37.6, 23.8, 29.4], preset: 'exact-vwa-mcts' },
        { label: 'R-MCTS, one judge', published: [40.2, 25.2, 31.9], preset: 'exact-vwa-rmcts' },
        { label: 'R-MCTS, debate', published: [41, 28.7, 32.3], preset: 'exact-vwa' },
      ],
    },
  ],
}

export const exactOsworldPaper: PaperRecipe = {
  id: 'exact-osworld',
  paper,
  models: 'GPT-4o, for the agent, the judge and the reflections',
  needs: [
    { need: 'machines', states: '30 virtual machines for each task under way, about 120 GB of memory' },
    { need: 'GPU hours', states: hoursUnknown },
    { need: 'sites', states: 'none of its own; some tasks open public sites' },
  ],
  data: { osworld: 'OSWorld’s task files and machines of yours, registered in environments.json' },
  practice: { osworld: 'textcraft' },
  tables: [
    {
      title: 'R-MCTS on OSWorld (no source has a number: the branch ships settings and no table)',
      source: `${paper}: section 7.5 of its fact sheet`,
      figure: 'success_rate',
      columns: [{ label: 'OSWorld', environment: 'osworld', count: 369 }],
      rows: [{ label: 'R-MCTS', published: [null], preset: 'exact-osworld' }],
    },
  ],
}
